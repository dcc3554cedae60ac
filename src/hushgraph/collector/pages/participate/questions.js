/** What each question asks, and what of an answer leaves the device, in plain words. */

import { chance, count, counted } from "../shared/words.js";

export const TITLES = { features: "Numbers about you", label: "Your group", lists: "Your friends" };

/** What is asked. */
export function asks(campaign, question) {
  if (question === "features") return counted(campaign.numFeatures, "number");
  if (question === "label") return `which of ${counted(campaign.classes.length, "group")} you belong to`;
  return `who your friends are, among ${counted(campaign.numPeople, "person", "people")}`;
}

/** What the device makes of an answer before it leaves, at one level. */
export function leaves(campaign, question, mechanism) {
  if (!Number.isFinite(mechanism.epsilon)) return "It is sent as it is, without any randomness.";
  if (question === "label") return group(campaign.classes.length, mechanism.epsilon);
  if (question === "lists") return list(mechanism.epsilon);
  return numbers(campaign, mechanism);
}

/** Signs for those that are asked, and numbers with noise on all of them otherwise. */
function numbers(campaign, { signs, answered, epsilon }) {
  if (!signs) return "Random noise is added to every number before it leaves: less of it, the larger ε is.";
  const all = campaign.numFeatures;
  const which =
    answered < all
      ? `Only ${count(answered)} of the ${count(all)} ${answered === 1 ? "is" : "are"} asked of you, picked by a public rule. `
      : "";
  const each = answered === 1 ? "it" : "each";
  const truth = chance(1 / (1 + Math.exp(-epsilon / answered)));
  return (
    `${which}Of ${each} the server learns “high” or “low”, drawn at random: ` +
    `a number at the end of its range is told truly with a chance of ${truth}.`
  );
}

function group(groups, epsilon) {
  const other = 1 / (Math.exp(epsilon) + groups - 1);
  const own = 1 - (groups - 1) * other;
  return `Your own group is sent with a chance of ${chance(own)}, any other with ${chance(other)} each.`;
}

function list(epsilon) {
  const flipped = chance(1 / (Math.exp(epsilon) + 1));
  return `For every person, whether they are on your list is turned round with a chance of ${flipped}.`;
}

/** The name of a feature, or its number, by which the explanation of a report calls it too. */
export const featureName = (campaign, place) => campaign.featureNames?.[place] ?? `Feature ${place}`;

/** The public range of a feature. */
export function featureRange(campaign, place) {
  const [mechanism] = campaign.levels("features");
  return campaign.ranges?.[place] ?? [mechanism.low, mechanism.high];
}
