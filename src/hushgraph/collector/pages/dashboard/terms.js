/** What the dashboard needs of a campaign's terms: names and ranges of what is estimated, before anybody answers. */

import { ask, campaignPath } from "../shared/api.js";

const SHOWN = 50;

/**
 * @typedef {{name: string, low: number, high: number}} Named
 * @returns {Promise<{classes: Named[], features: Named[]}>} empty where it is not asked
 */
export async function fetchTerms(id) {
  const terms = await (await ask(campaignPath(id, "terms"))).json();
  const [mechanism] = terms.features;
  const classes = terms.labels.length > 0 ? terms.classes : [];
  const features = Array.from({ length: mechanism ? Math.min(SHOWN, terms.num_features) : 0 }, (_, place) => {
    const [low, high] = terms.ranges?.[place] ?? [mechanism.low, mechanism.high];
    return { name: terms.feature_names?.[place] ?? String(place), low, high };
  });
  return { classes: classes.map((name) => ({ name, low: 0, high: 1 })), features };
}
