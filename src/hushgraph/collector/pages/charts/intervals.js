/** Estimates with their 95 % intervals: a table whose rows are drawn too, so that it is its own alternative. */

import { drawn, element, set, write } from "../shared/dom.js";
import { scale, tickText, ticks } from "./scale.js";
import { sortable } from "./sorting.js";

/**
 * @typedef {{name: string, value: number, halfWidth: number}} Estimate
 * @param {{caption: string, of: string, figure: string, mark: "bar" | "dot", text: (one: Estimate) => string,
 *   axis: (all: Estimate[]) => [number, number], tick?: (value: string) => string}} options
 * @returns {{node: Node, update: (all: Estimate[]) => void}}
 */
export function intervalTable({ caption, of, figure, mark, text, axis, tick = (value) => value, percent = false }) {
  const marks = drawn("svg", { class: "marks", "aria-hidden": "true" });
  const body = element("tbody", {});
  let [rows, shown, held] = [[], [], null];
  const arrange = () => body.replaceChildren(...order.sorted(rows).map((row) => row.node));
  const order = sortable([of, figure], [(row) => row.estimate.name, (row) => row.estimate.value], arrange);
  const node = element(
    "table",
    { class: `intervals ${mark}s` },
    element("caption", { class: "unseen" }, caption),
    element("thead", {}, element("tr", {}, order.headers[0], element("td", { class: "drawn" }, marks), order.headers[1])),
    body,
  );
  const update = (all) => {
    held = steady(held, axis(all));
    const range = held;
    const names = all.map((one) => one.name);
    if (String(names) !== String(shown)) [rows, shown] = [all.map((one) => makeRow(one, mark)), names];
    rows.forEach((row, place) => row.update(all[place], range, text(all[place])));
    drawMarks(marks, range, tick, percent ? 100 : 1);
    arrange();
  };
  return { node, update };
}

/** An axis that only grows, so that bars are seen to shrink; unless hardly anything is left of them. */
function steady(before, now) {
  if (before === null || now[1] - now[0] < (before[1] - before[0]) / 4) return now;
  return [Math.min(before[0], now[0]), Math.max(before[1], now[1])];
}

function makeRow(first, mark) {
  const value = mark === "bar" ? drawn("rect", { class: "value", y: "25%", height: "50%", x: 0 }) : drawn("circle", { class: "value", cy: "50%", r: 4.5 });
  const zero = drawn("line", { class: "axis", y1: 0, y2: "100%" });
  const whisker = drawn("rect", { class: "whisker", y: "46%", height: "8%" });
  const ends = [0, 1].map(() => drawn("line", { class: "end", y1: "30%", y2: "70%" }));
  const written = element("td", { class: "number" });
  const node = element(
    "tr",
    {},
    element("th", { scope: "row" }, first.name),
    element("td", { class: "drawn" }, drawn("svg", { "aria-hidden": "true" }, mark === "bar" ? [value, zero] : [zero], whisker, ends, mark === "dot" && value)),
    written,
  );
  const row = { node, estimate: first };
  row.update = (estimate, range, text) => {
    row.estimate = estimate;
    const place = scale(range, [0, 100]);
    const at = share(place(0));
    set(zero, { x1: at, x2: at, visibility: range[0] > 0 || range[1] < 0 ? "hidden" : "visible" });
    const [low, middle, high] = [-1, 0, 1].map((side) => place(estimate.value + side * estimate.halfWidth));
    set(value, mark === "bar" ? { width: share(middle) } : { cx: share(middle) });
    set(whisker, { x: share(low), width: share(high - low) });
    ends.forEach((end, side) => set(end, { x1: share(side ? high : low), x2: share(side ? high : low) }));
    write(written, text);
  };
  return row;
}

function drawMarks(marks, range, tick, times) {
  const values = ticks(range[0], range[1]);
  const place = scale(range, [0, 100]);
  const texts = tickText(values.map((value) => value * times));
  marks.replaceChildren(
    ...values.map((value, at) => {
      const x = place(value);
      const anchor = x < 5 ? "start" : x > 95 ? "end" : "middle";
      return drawn("text", { x: share(x), y: "50%", dy: "0.35em", "text-anchor": anchor }, tick(texts[at]));
    }),
  );
}

const share = (value) => `${value.toFixed(2)}%`;
