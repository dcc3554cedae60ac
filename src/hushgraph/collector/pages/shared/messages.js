/** What is said aloud: what was done, and what went wrong. Both places are in the page from the start. */

import { byId } from "./dom.js";

// Good news is also in the page itself, and need not lie over it for long. Bad news stays until somebody closes it.
const SHOWN_FOR = 6000;
let fading;

/** Something is being done. */
export const working = (text) => place(text, "");

/** Something went as it should. */
export function say(text) {
  place(text, "");
  fading = setTimeout(hush, SHOWN_FOR);
}

/** Something went wrong. */
export const complain = (text) => place("", text);

/** Nothing to say any more. */
export const hush = () => place("", "");

function place(good, bad) {
  clearTimeout(fading);
  byId("status").textContent = good;
  byId("problem").textContent = bad;
}

byId("dismiss").addEventListener("click", hush);
