/** Which class somebody belongs to: buttons for a few, a list for many. */

import { element, freshId } from "../shared/dom.js";
import { balanced, named } from "../shared/names.js";

const FEW = 8;
// What is no class is drawn at random on the device, which looks like any other answer.
const NONE = "None of these, or I do not know";
const UNKNOWN = -1;

/** @returns {{node: Node, read: () => {value: number, wrong: {input: Element, text: string} | null}}} */
export function labelInput(campaign) {
  return campaign.classes.length > FEW ? fromList(campaign.classes) : fromButtons(campaign.classes);
}

function fromButtons(classes) {
  const name = freshId("class");
  const names = [...classes, null];
  const inputs = names.map(() => element("input", { type: "radio", name, autocomplete: "off" }));
  const node = element(
    "fieldset",
    {},
    element("legend", {}, "Which one is yours?"),
    element(
      "div",
      { class: "choices classes" },
      names.map((one, place) =>
        element("label", { class: "choice" }, inputs[place], element("span", {}, one === null ? NONE : named(one))),
      ),
    ),
  );
  const read = () => {
    const place = inputs.findIndex((input) => input.checked);
    const wrong = place < 0 ? { input: inputs[0], text: `Choose one of them, or “${NONE}”.` } : null;
    return { value: place < classes.length ? place : UNKNOWN, wrong };
  };
  return { node, read };
}

function fromList(classes) {
  const id = freshId("class");
  const select = element(
    "select",
    { id, autocomplete: "off" },
    element("option", { value: "" }, "Choose one"),
    classes.map((one, place) => element("option", { value: place }, balanced(one))),
    element("option", { value: "none" }, NONE),
  );
  const node = element(
    "div",
    { class: "field" },
    element("label", { for: id }, "Which one is yours?"),
    select,
  );
  const read = () => {
    const wrong = select.value === "" ? { input: select, text: `Choose one of them, or “${NONE}”.` } : null;
    return { value: select.value === "none" ? UNKNOWN : Number(select.value), wrong };
  };
  return { node, read };
}
