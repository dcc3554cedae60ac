/** One estimate: its name, a picture of it, and its figures. */

import { drawn, element, set, write } from "../shared/dom.js";
import { named } from "../shared/names.js";

/** In percent of the width, so that a picture needs not know how wide it is. */
export const share = (value) => `${value.toFixed(2)}%`;

/** @param {"bar" | "dot"} mark */
export function intervalRow(first, mark, guides) {
  const value =
    mark === "bar"
      ? drawn("rect", { class: "value", y: "25%", height: "50%" })
      : drawn("circle", { class: "value", cy: "50%", r: 4.5 });
  const lines = guides.map(() => drawn("line", { class: "axis", y1: 0, y2: "100%" }));
  const whisker = drawn("rect", { class: "whisker", y: "46%", height: "8%" });
  const ends = [0, 1].map(() => drawn("line", { class: "end", y1: "30%", y2: "70%" }));
  const picture = mark === "bar" ? [value, lines, whisker, ends] : [lines, whisker, ends, value];
  const picturing = drawn("svg", { "aria-hidden": "true" }, picture);
  const written = element("td", { class: "number" });
  const name = element(
    "th",
    { scope: "row" },
    named(first.name),
    first.note && element("span", { class: "small soft" }, ` ${first.note}`),
  );
  const node = element("tr", {}, name, element("td", { class: "drawn" }, picturing), written);
  const row = { node, estimate: first };
  row.update = (estimate, [low, middle, high], guided, text, beyond) => {
    row.estimate = estimate;
    set(picturing, { class: Number.isNaN(estimate.value) ? "unknown" : "known" });
    write(written, text);
    lines.forEach((line, place) => set(line, { x1: share(guided[place]), x2: share(guided[place]) }));
    if (Number.isNaN(estimate.value)) return;
    if (mark === "bar") set(value, { x: share(guided[0]), width: share(Math.max(0, middle - guided[0])) });
    else set(value, { cx: share(middle), visibility: beyond[2] ? "hidden" : "visible" });
    set(whisker, { x: share(low), width: share(high - low) });
    ends.forEach((end, side) => {
      const at = share(side ? high : low);
      // An interval that goes on behind the edge of the picture does not end there.
      set(end, { x1: at, x2: at, visibility: beyond[side] ? "hidden" : "visible" });
    });
  };
  return row;
}
