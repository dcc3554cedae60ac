/** The choice of how well an answer is hidden, where a campaign leaves it to the person. */

import { element, freshId } from "../shared/dom.js";
import { epsilon, strength } from "../shared/words.js";
import { leaves } from "./questions.js";
import { weak } from "./terms.js";

/**
 * A group of radio buttons, or a sentence where there is one level only; the strictest is chosen at first.
 * @returns {{node: Node, level: () => number}}
 */
export function levelChoice(campaign, question, changed) {
  const levels = campaign.levels(question);
  if (levels.length === 1) {
    return {
      node: element(
        "p",
        { class: "hiding" },
        said(levels[0]),
        ". ",
        leaves(campaign, question, levels[0]),
        weak(levels[0]),
      ),
      level: () => 0,
    };
  }
  const made = levels.map((level) => leaves(campaign, question, level));
  // What all levels have in common is said once.
  const common = new Set(made).size === 1;
  const group = freshId("level");
  const inputs = levels.map((_, place) =>
    element("input", { type: "radio", name: group, value: place, checked: place === 0, change: changed }),
  );
  const node = element(
    "fieldset",
    { class: "levels" },
    element("legend", {}, "How well should it be hidden?"),
    common && element("p", { class: "common" }, made[0]),
    element(
      "div",
      { class: "choices" },
      levels.map((level, place) =>
        element(
          "label",
          { class: "choice" },
          inputs[place],
          element("span", {}, said(level), !common && element("small", {}, made[place]), weak(level)),
        ),
      ),
    ),
  );
  return { node, level: () => inputs.findIndex((input) => input.checked) };
}

const said = (level) => [
  element("b", {}, `ε = ${epsilon(level.epsilon)}`),
  `: ${strength(level.epsilon, level.delta)}`,
];
