// Randomised response on neighbour lists.

import * as check from "../checks.js";
import { rarestOutcome } from "./rarest_outcome.js";
import { successes } from "./skip_sampling.js";

/**
 * Warner's randomised response on every entry of a list (Solitude, Theorem 3.1): each bit is flipped with
 * probability 1 / (e^ε + 1). Only the flips are drawn. That nobody is their own friend is public.
 */
export class NeighborLists {
  constructor(given) {
    check.entries(given, given.mechanism, ["mechanism", "epsilon"], ["limit"]);
    const { mechanism, epsilon, limit = 2 ** 27 } = given;
    this.mechanism = mechanism;
    this.epsilon = check.budget(epsilon);
    this.delta = 0;
    this.limit = check.count(limit, "limit", 1);
    this.threshold = this.epsilon === Infinity ? 0n : rarestOutcome(this.epsilon, 2);
    Object.freeze(this);
  }

  /** Refuses a list for its noise alone: a refusal must not tell how many friends there are. */
  checkFits(people) {
    const expected = ((people - 1) * Number(this.threshold)) / 2 ** 64;
    if (expected > this.limit) {
      throw new RangeError(`a list would have about ${Math.round(expected)} names, more than ${this.limit}`);
    }
  }

  /** The list that is sent, of somebody whose friends are sorted, each once, without themselves. */
  randomize(friends, person, people, source) {
    this.checkFits(people);
    const entries = friends.map((name) => name - (name > person ? 1 : 0));
    const flips = successes(people - 1, this.threshold, source);
    return inOneOnly(entries, flips).map((entry) => entry + (entry >= person ? 1 : 0));
  }
}

/** What is in one of two sorted lists and not in the other. */
function inOneOnly(first, second) {
  const found = [];
  let [here, there] = [0, 0];
  while (here < first.length || there < second.length) {
    if (first[here] === second[there]) {
      here++;
      there++;
    } else if (there === second.length || first[here] < second[there]) found.push(first[here++]);
    else found.push(second[there++]);
  }
  return found;
}
