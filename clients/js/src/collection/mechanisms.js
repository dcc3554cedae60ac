// Mechanisms by the names that terms give them.

import { AnalyticGaussian } from "../mechanisms/gaussian.js";
import { Laplace } from "../mechanisms/laplace.js";
import { MultiBit } from "../mechanisms/multi_bit.js";
import { NeighborLists } from "../mechanisms/neighbor_lists.js";
import { OneBit } from "../mechanisms/one_bit.js";
import { RandomizedResponse } from "../mechanisms/randomized_response.js";
import * as check from "../checks.js";

const KNOWN = {
  features: { "multi-bit": MultiBit, "one-bit": OneBit, laplace: Laplace, gaussian: AnalyticGaussian },
  labels: { "randomized-response": RandomizedResponse },
  lists: { "neighbor-lists": NeighborLists },
};

/** The mechanism of each level of a question, the most private first; none if it is not asked. */
export function levels(given, question, size) {
  const read = check.list(given, question).map((one) => mechanism(one, question, size));
  if (new Set(read.map((one) => one.mechanism)).size > 1) {
    throw new RangeError(`${question} must be of one kind at all levels`);
  }
  const budgets = read.map((one) => one.epsilon);
  const rise = budgets.every((budget, level) => level === 0 || budgets[level - 1] < budget);
  if (read.length > 1 && !(rise && budgets.every(Number.isFinite))) {
    throw new RangeError(`${question} must have finite budgets that rise from level to level`);
  }
  return Object.freeze(read);
}

function mechanism(given, question, size) {
  const name = typeof given === "object" && given !== null ? given.mechanism : undefined;
  if (typeof name !== "string" || !Object.hasOwn(KNOWN[question], name)) {
    throw new RangeError(`${question} must be one of ${Object.keys(KNOWN[question]).join(", ")}`);
  }
  return new KNOWN[question][name](given, size);
}
