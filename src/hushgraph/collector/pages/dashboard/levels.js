/** Which level of privacy people took. */

import { element } from "../shared/dom.js";
import { count, epsilon, percent, strength } from "../shared/words.js";

const NAMES = { features: "Features", label: "Label", lists: "Lists of friends" };

/** @returns {{node: Node, update: (figures: object) => void}} */
export function levelsTaken() {
  const inside = element("div", {});
  const node = element(
    "section",
    { class: "card", "aria-labelledby": "levels" },
    element("h2", { id: "levels" }, "Levels taken"),
    inside,
  );
  const update = ({ levels }) =>
    inside.replaceChildren(
      ...Object.entries(levels ?? {}).map(([question, taken]) => table(question, taken)),
    );
  return { node, update };
}

function table(question, taken) {
  const all = taken.reduce((sum, level) => sum + level.people, 0);
  return element(
    "table",
    {},
    element("caption", {}, NAMES[question] ?? question),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "col" }, "ε"),
        element("th", { scope: "col" }, "hidden at"),
        element("th", { scope: "col", class: "number" }, "people"),
      ),
    ),
    element(
      "tbody",
      {},
      taken.map((level) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, epsilon(finite(level.epsilon))),
          element("td", {}, strength(finite(level.epsilon), level.delta ?? 0)),
          element(
            "td",
            { class: "number" },
            all > 0 ? `${count(level.people)} (${percent(level.people / all, 0)})` : count(level.people),
          ),
        ),
      ),
    ),
  );
}

// JSON has no infinite number.
const finite = (value) => (typeof value === "number" ? value : Infinity);
