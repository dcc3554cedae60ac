// One person's answer to a campaign: what they hold, randomised, as the bytes that leave.

import { QUESTIONS } from "../collection/campaign.js";
import { checkedLevel } from "../collection/promise.js";
import { publicColumns } from "../collection/public_columns.js";
import { encode } from "../collection/wire.js";
import { ArgumentError } from "../errors.js";
import { secure } from "../mechanisms/randomness.js";
import { readFeatures, readFriends, readLabel } from "./readings.js";

const HELD = { features: "features", label: "label", lists: "friends" };

/** The level that is taken of each question that is answered. What is null or undefined is not answered. */
export function takenLevels(campaign, held, levels = {}) {
  for (const question of Object.keys(levels ?? {})) {
    if (!campaign.asked.includes(question))
      throw new ArgumentError(`levels must be of ${campaign.asked.join(", ")}`);
  }
  const unknown = Object.keys(held).filter((name) => !Object.values(HELD).includes(name));
  if (unknown.length > 0)
    throw new ArgumentError(`give features, label or friends, not ${unknown.join(", ")}`);
  const taken = {};
  for (const question of QUESTIONS) {
    if ((held[HELD[question]] ?? null) === null) continue;
    const offered = campaign.levels(question).length;
    if (offered === 0) throw new ArgumentError(`the campaign does not ask for ${question}`);
    if (offered > 1 && !Object.hasOwn(levels ?? {}, question)) {
      throw new ArgumentError(`levels must say which of ${offered} levels to take of ${question}`);
    }
    taken[question] = checkedLevel(campaign, question, levels?.[question] ?? 0);
  }
  if (Object.keys(taken).length === 0)
    throw new ArgumentError("there is nothing to send: give features, label or friends");
  return taken;
}

/** The person's number, if the campaign has it. */
export function checkedPerson(campaign, person) {
  const last = (campaign.numPeople ?? Number.MAX_SAFE_INTEGER) - 1;
  if (!Number.isSafeInteger(person) || person < 0 || person > last) {
    throw new ArgumentError(`person must be a whole number in 0 … ${last}`);
  }
  return person + 0;
}

/**
 * The bytes of a report. Answer once: a second report of the same values costs as much again, and it is the
 * Reporter that sees to that. A source of randomness of one's own makes the report say that it is simulated.
 */
export async function randomized(
  campaign,
  person,
  held,
  { levels, outOfRange = "clip", random = secure } = {},
) {
  const owner = checkedPerson(campaign, person);
  const taken = takenLevels(campaign, held, levels);
  const read = readings(campaign, owner, held, taken, outOfRange === "refuse");
  const answers = {};
  // In the order in which the Python library draws, so that the same words give the same answers.
  if (read.label !== undefined) answers.label = { label: levelOf("label").randomize(read.label, random) };
  if (read.lists !== undefined) {
    answers.lists = { names: levelOf("lists").randomize(read.lists, owner, campaign.numPeople, random) };
  }
  if (read.features !== undefined) {
    const columns = await columnsOf(campaign, owner, taken.features);
    answers.features = levelOf("features").randomize(read.features, columns, random);
  }
  for (const question of Object.keys(answers)) answers[question].level = taken[question];
  return encode(campaign, { person: owner, simulated: random !== secure, answers });

  function levelOf(question) {
    return campaign.levels(question)[taken[question]];
  }
}

/** The features that a person is asked at a level, in the order of the report. */
export async function columnsOf(campaign, person, level) {
  const mechanism = campaign.levels("features")[level];
  return publicColumns(campaign.id, person, campaign.numFeatures, mechanism.answered);
}

/** Everything is read before anything is drawn, so that what is refused is refused in time. */
function readings(campaign, person, held, taken, refuse) {
  const read = {};
  if ("label" in taken) read.label = readLabel(campaign, held.label, refuse);
  if ("lists" in taken) {
    campaign.levels("lists")[taken.lists].checkFits(campaign.numPeople);
    read.lists = readFriends(campaign, person, held.friends, refuse);
  }
  if ("features" in taken) read.features = readFeatures(campaign, held.features, taken.features, refuse);
  return read;
}
