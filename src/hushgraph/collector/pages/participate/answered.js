/** What can be read from an answer of this price. */
function meaning(price) {
  if (!Number.isFinite(price))
    return "This is what the answer says. What is not hidden in this campaign is in it just as you entered it.";
  const much = warning(price) === "" ? "" : " At odds like these, that is a lot.";
  return (
    "This is what the answer says. It was drawn at random and need not be what you entered. How much can be " +
    `concluded from it is limited by the odds that you were told.${much}`
  );
}

/** The answer that was drawn: what leaves, what stays, and what can be done with it. */

import { element } from "../shared/dom.js";
import { epsilon, moment, strength, warning } from "../shared/words.js";
import { bytesShown } from "./bytes.js";

/** @param {object} device with a record that has bytes */
export function drawnAnswer({ record, parts }) {
  return element(
    "div",
    { class: "boundary" },
    element(
      "section",
      { class: "card leaves", "aria-labelledby": "leaves" },
      element("h3", { id: "leaves" }, record.state === "sent" ? "What has left" : "What leaves"),
      bytesShown(record.bytes, parts),
      element(
        "p",
        {},
        meaning(record.epsilon),
      ),
    ),
    element(
      "section",
      { class: "card stays", "aria-labelledby": "stays" },
      element("h3", { id: "stays" }, "What stays"),
      element(
        "ul",
        {},
        element(
          "li",
          {},
          "What you entered. It was used to draw this answer and is kept nowhere, not even here: " +
            "the fields are gone.",
        ),
        element(
          "li",
          {},
          "Your ledger, with the price of this answer: ",
          element("b", {}, `ε = ${epsilon(record.epsilon)}`),
          `, ${strength(record.epsilon, record.delta)}.`,
        ),
        element(
          "li",
          {},
          `A copy of these bytes, drawn ${moment(record.at)}. Whenever this campaign asks again, it gets the same ones.`,
        ),
      ),
    ),
  );
}
