/** One number with its public range; from 0 to 1 it has a slider too, for a thumb. */

import { element, freshId } from "../shared/dom.js";
import { isolated, named } from "../shared/names.js";

/**
 * @returns {{node: Node, value: () => number, fill: (value: number) => void,
 *   wrong: (clip: boolean) => object | null}}
 */
export function numberField(name, [low, high]) {
  const [id, hint] = [freshId("number"), freshId("range")];
  const input = element("input", {
    type: "number",
    id,
    step: "any",
    min: low,
    max: high,
    // The keypad for decimals of some phones has no minus.
    inputmode: low < 0 ? null : "decimal",
    autocomplete: "off",
    "aria-describedby": hint,
  });
  const slider = low === 0 && high === 1 ? beside(input, name) : null;
  const node = element(
    "div",
    { class: "field number-field" },
    element("label", { for: id }, named(name)),
    element("span", { id: hint, class: "small soft" }, `${shown(low)} to ${shown(high)}`),
    element("div", { class: "entry" }, input, slider),
  );
  return {
    node,
    value: () => (input.value === "" ? NaN : input.valueAsNumber),
    fill: (value) => {
      input.value = Number.isFinite(value) ? String(value) : "";
      input.dispatchEvent(new Event("input"));
    },
    wrong: (clip) => {
      const text = problem(input, low, high, clip);
      return text === null ? null : { input, text: `${isolated(name)}: ${text}` };
    },
  };
}

/** The number has the say; the slider is out of the order of tabs, so that nobody passes each value twice. */
function beside(input, name) {
  const label = `${isolated(name)}, slider`;
  const slider = element("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.01,
    tabindex: -1,
    autocomplete: "off",
    "aria-label": label,
  });
  slider.value = "0.5";
  slider.addEventListener("input", () => {
    input.value = slider.value;
  });
  input.addEventListener("input", () => {
    slider.value = input.value === "" ? "0.5" : input.value;
  });
  return slider;
}

function problem(input, low, high, clip) {
  if (input.validity.badInput) return "this is not a number.";
  if (clip) return null;
  if (input.validity.rangeUnderflow || input.validity.rangeOverflow)
    return `its range is ${shown(low)} to ${shown(high)}.`;
  return null;
}

const shown = (value) => value.toLocaleString("en", { maximumSignificantDigits: 6 });
