/** All numbers at once, from somewhere else. */

import { element, freshId, write } from "../shared/dom.js";
import { count, counted } from "../shared/words.js";
import { asNumber, listed, parts, places } from "./numbers.js";

const EVERYTHING = () => [-Infinity, Infinity];

/**
 * @param {number} total how many numbers there are
 * @param {(place: number) => [number, number]} range of each
 * @param {(values: number[]) => void} pasted is told when all are there
 */
export function pasteBox(total, range, pasted) {
  const [id, told] = [freshId("paste"), freshId("told")];
  const tally = element("p", { id: told, class: "small soft tally", role: "status" });
  const area = element("textarea", {
    id,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": told,
  });
  const numbers = () => parts(area.value).map(asNumber);
  area.addEventListener("input", () => {
    const values = numbers();
    write(tally, values.length === 0 ? "" : `${count(values.length)} of ${counted(total, "number")}.`);
    if (values.length === total) pasted(values);
  });
  const node = element(
    "div",
    { class: "field" },
    element("label", { for: id }, `All ${counted(total, "number")}, separated by commas`),
    area,
    tally,
  );
  const read = (clip) => {
    const value = numbers();
    const text = fault(value, total, clip ? EVERYTHING : range);
    return { value, wrong: text === null ? null : { input: area, text } };
  };
  return { node, read };
}

function fault(value, total, range) {
  if (value.length === 0) return null;
  if (value.length !== total)
    return `${counted(total, "number")} are asked for, and ${count(value.length)} are in the box.`;
  const strange = places(value, Number.isFinite);
  if (strange.length > 0) return `What is not a number: the ${listed(strange)} in the box.`;
  const outside = value.flatMap((one, place) =>
    one >= range(place)[0] && one <= range(place)[1] ? [] : [place + 1],
  );
  return outside.length > 0 ? `Outside the range: the ${listed(outside)} in the box.` : null;
}
