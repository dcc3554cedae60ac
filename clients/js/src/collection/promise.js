// What a campaign promises somebody: the price of everything that they send, computed from what is asked.

import { ArgumentError } from "../errors.js";
import { sum } from "../mechanisms/exact.js";

/**
 * Sequential composition: ε and δ of the answers add up. A friendship stands in two lists, the friend's maybe at
 * the highest level, so where lists are asked for, one friendship may cost more than the person's own answers.
 */
export function promiseOf(campaign, taken) {
  const parts = campaign.asked
    .filter((question) => (taken[question] ?? null) !== null)
    .map((question) => Object.freeze({ question, ...priceOf(campaign, question, taken[question]) }));
  const unknown = Object.keys(taken).filter((question) => !campaign.asked.includes(question));
  if (unknown.length > 0) throw new ArgumentError(`levels must be of ${campaign.asked.join(", ")}`);
  const friendship = friendshipOf(campaign, parts);
  return Object.freeze({
    epsilon: Math.max(sum(parts.map((part) => part.epsilon)), friendship ?? 0),
    delta: Math.min(1, sum(parts.map((part) => part.delta))),
    parts: Object.freeze(parts),
    friendship,
  });
}

/** The level that is meant, if the question has it. */
export function checkedLevel(campaign, question, level) {
  const offered = campaign.levels(question).length;
  if (!Number.isInteger(level) || level < 0 || level >= offered) {
    throw new ArgumentError(`the level of ${question} must lie in 0 … ${offered - 1}`);
  }
  return level;
}

function priceOf(campaign, question, level) {
  const { epsilon, delta } = campaign.levels(question)[checkedLevel(campaign, question, level)];
  return { level, epsilon, delta };
}

function friendshipOf(campaign, parts) {
  const worst = campaign.levels("lists").at(-1);
  if (!worst) return null;
  const own = parts.filter((part) => part.question === "lists").map((part) => part.epsilon);
  return sum([worst.epsilon, ...own]);
}
