/** Estimates with their 95 % intervals: a table whose rows are drawn too, so that it is its own alternative. */

import { drawn, element, set } from "../shared/dom.js";
import { intervalRow, share } from "./interval_row.js";
import { scale } from "./scale.js";
import { sortable } from "./sorting.js";

/**
 * An estimate, NaN before there is one, between the ends of its range, in which it is drawn: rows may have
 * different units.
 * @typedef {{name: string, note?: string, value: number, halfWidth: number, low: number, high: number}} Estimate
 */

/** Where an estimate and the ends of its interval lie: 0 is the low end of its range and 1 the high one. */
const places = ({ value, halfWidth, low, high }) =>
  [-1, 0, 1].map((side) => (value + side * halfWidth - low) / (high - low || 1));

/**
 * @param {{caption: string, of: string, figure: string, mark: "bar" | "dot", text: (one: Estimate) => string,
 *   axis: (lowest: number, highest: number) => [number, number], guides: number[],
 *   marks: (range: [number, number], all: Estimate[]) => {at: number, text: string}[]}} options
 *   in which axis, guides and marks count in shares of a range
 * @returns {{node: Node, update: (all: Estimate[]) => void}}
 */
export function intervalTable({ caption, of, figure, mark, text, axis, guides, marks }) {
  const top = drawn("svg", { class: "marks", "aria-hidden": "true" });
  const body = element("tbody", {});
  let [rows, shown, range] = [[], [], null];
  const arrange = () => {
    const sorted = order.sorted(rows);
    // Rows that stay where they are keep what is selected in them.
    if (sorted.some((row, place) => body.children[place] !== row.node))
      body.replaceChildren(...sorted.map((row) => row.node));
  };
  const order = sortable(
    [of, figure],
    [(row) => row.estimate.name, (row) => places(row.estimate)[1]],
    arrange,
  );
  const node = element(
    "table",
    { class: `intervals ${mark}s` },
    element("caption", { class: "unseen" }, caption),
    element(
      "thead",
      {},
      element("tr", {}, order.headers[0], element("td", { class: "drawn" }, top), order.headers[1]),
    ),
    body,
  );
  const update = (all) => {
    const names = all.map((one) => one.name);
    if (String(names) !== String(shown)) {
      [rows, shown] = [all.map((one) => intervalRow(one, mark, guides)), names];
      body.replaceChildren();
    }
    const ends = all.map(places);
    const known = ends.filter(([, middle]) => !Number.isNaN(middle));
    const span = axis(Math.min(...known.map(([low]) => low)), Math.max(...known.map(([, , high]) => high)));
    // Without an estimate there is no axis yet that should be kept.
    range = known.length > 0 ? steady(range, span) : span;
    const across = scale(range, [0, 100]);
    rows.forEach((row, place) => {
      const [one, [low, middle, high]] = [all[place], ends[place]];
      const beyond = [low < range[0], high > range[1], middle < range[0] || middle > range[1]];
      row.update(
        one,
        [low, middle, high].map(across),
        guides.map(across),
        Number.isNaN(middle) ? "–" : text(one),
        beyond,
      );
    });
    drawMarks(top, marks(range, all), across);
    arrange();
  };
  return { node, update };
}

/** An axis that only grows, so that bars are seen to shrink; unless hardly anything is left of them. */
function steady(before, now) {
  if (before === null || now[1] - now[0] < (before[1] - before[0]) / 4) return now;
  return [Math.min(before[0], now[0]), Math.max(before[1], now[1])];
}

function drawMarks(top, marks, across) {
  while (top.children.length > marks.length) top.lastChild.remove();
  while (top.children.length < marks.length) top.append(drawn("text", { y: "50%", dy: "0.35em" }));
  marks.forEach(({ at, text }, place) => {
    const x = across(at);
    const anchor = x < 5 ? "start" : x > 95 ? "end" : "middle";
    set(top.children[place], { x: share(x), "text-anchor": anchor }).textContent = text;
  });
}
