/** The figures of a campaign, asked for again and again while somebody looks. */

import { ask, campaignPath } from "../shared/api.js";
import { fetchTerms } from "./terms.js";

const PERIOD = 5000;

/**
 * Asks now and then every five seconds, not while the page is hidden or paused.
 * @param {string} id of the campaign
 * @param {string} token of the administrator
 * @param {{arrived: (figures: object, terms: object) => void, failed: (error: Error) => boolean}} told
 *   where failed says whether to go on
 */
export function follow(id, token, { arrived, failed }) {
  let [timer, terms] = [null, null];
  let asking = false;
  let [paused, over] = [false, false];

  async function once() {
    if (asking || over) return;
    clearTimeout(timer);
    asking = true;
    try {
      const figures = await (await ask(campaignPath(id, "statistics"), { token })).json();
      // Terms never change, so once is enough.
      terms ??= await fetchTerms(id);
      arrived(figures, terms);
    } catch (error) {
      over = !failed(error);
    }
    asking = false;
    plan();
  }

  function plan() {
    clearTimeout(timer);
    if (!over && !paused && !document.hidden) timer = setTimeout(once, PERIOD);
  }

  document.addEventListener("visibilitychange", () => (document.hidden || paused ? plan() : once()));
  once();
  return {
    now: once,
    pause: (yes) => {
      paused = yes;
      if (yes) plan();
      else once();
    },
  };
}
