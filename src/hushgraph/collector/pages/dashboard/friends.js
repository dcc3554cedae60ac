/** How many friends people have on average, where lists are asked for. */

import { element, write } from "../shared/dom.js";
import { counted, digitsFor, fixed } from "../shared/words.js";

/** @returns {{node: Node, update: (figures: object) => void}} */
export function friends() {
  const [figure, note] = [element("p", { class: "figure" }), element("p", { class: "small soft" })];
  const node = element(
    "section",
    { class: "card", "aria-labelledby": "friends" },
    element("h2", { id: "friends" }, "Friends of a person"),
    figure,
    note,
  );
  const update = ({ mean_friends: mean, lists_from: lists }) => {
    node.hidden = !mean;
    if (!mean) return;
    const digits = digitsFor(mean.half_width);
    write(figure, `${fixed(mean.value, digits)} ± ${mean.half_width.toFixed(digits)}`);
    write(note, `On average, from ${counted(lists, "list")}.`);
  };
  return { node, update };
}
