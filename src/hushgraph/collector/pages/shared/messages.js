/** What is said aloud: what was done, and what went wrong. Both places are in the page from the start. */

import { byId } from "./dom.js";

/** Something went as it should. */
export function say(text) {
  byId("problem").textContent = "";
  byId("status").textContent = text;
}

/** Something went wrong. */
export function complain(text) {
  byId("status").textContent = "";
  byId("problem").textContent = text;
}

/** Nothing to say any more. */
export function hush() {
  byId("status").textContent = "";
  byId("problem").textContent = "";
}
