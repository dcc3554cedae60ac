/** The public range of each feature, from the campaign's terms. */

import { ask, campaignPath } from "../shared/api.js";

/** @returns {Promise<((place: number) => [number, number]) & {differ: boolean}>} */
export async function fetchRanges(id) {
  const terms = await (await ask(campaignPath(id, "terms"))).json();
  const [mechanism] = terms.features;
  const own = mechanism ? [mechanism.low, mechanism.high] : [0, 1];
  const all = terms.ranges ?? [];
  const differ = all.some((range) => String(range) !== String(all[0]));
  return Object.assign((place) => all[place] ?? own, { differ });
}
