/** The statement of privacy, word for word as the library prints it. */

import { element, write } from "../shared/dom.js";

/** @returns {{node: Node, update: (figures: object) => void}} */
export function statement() {
  const text = element("pre", {});
  const node = element(
    "section",
    { class: "card", "aria-labelledby": "statement" },
    element("h2", { id: "statement" }, "What everybody is promised"),
    text,
  );
  return { node, update: (figures) => write(text, figures.guarantee) };
}
