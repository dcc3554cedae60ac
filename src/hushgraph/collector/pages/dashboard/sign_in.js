/** What is shown to somebody who has not given a token, or a wrong one. */

import { element } from "../shared/dom.js";
import { tokenForm } from "../shared/token_form.js";

/** @param {string} why @param {(token: string) => void} given */
export function signIn(why, given) {
  return element(
    "section",
    { class: "card sign-in" },
    element("h1", { tabindex: "-1" }, "Who is asking?"),
    element("p", {}, why),
    element(
      "p",
      { class: "small soft" },
      "It is the one that this collector was started with. This tab can use it until it is closed; what a tab " +
        "keeps, a browser also writes to its disk, so use a profile that nobody else has. " +
        "Do not put it into an address: browsers keep addresses.",
    ),
    tokenForm("Administrator token", "Show the dashboard", given),
  );
}
