/** A line over time with the area below it. Its height never changes; its width is what there is. */

import { drawn, element, freshId, set, write } from "../shared/dom.js";
import { count, moment } from "../shared/words.js";
import { roundUp, scale, tickText, ticks } from "./scale.js";
import { timeTicks } from "./time_ticks.js";

const HEIGHT = 260;
const EDGE = { top: 14, right: 14, bottom: 40, left: 58 };

/**
 * @param {{title: string, unit: string}} names what is counted, as a title and in one word
 * @returns {{node: Node, update: (points: {at: number, value: number}[], until: number) => void}} times in seconds;
 *   the last value holds until then
 */
export function lineChart({ title, unit }) {
  const [titled, described] = [freshId("chart"), freshId("chart")];
  const spoken = [drawn("title", { id: titled }, title), drawn("desc", { id: described })];
  const picture = drawn(
    "svg",
    {
      class: "line-chart",
      height: HEIGHT,
      role: "img",
      "aria-labelledby": titled,
      "aria-describedby": described,
    },
    spoken,
  );
  const body = element("tbody", {});
  const node = element(
    "figure",
    { class: "chart" },
    element("div", { class: "canvas" }, picture),
    table(title, unit, body),
  );
  let [points, end] = [[], 0];
  const draw = () => {
    const width = Math.max(240, Math.floor(picture.parentElement.clientWidth));
    set(picture, { width, viewBox: `0 0 ${width} ${HEIGHT}` });
    picture.replaceChildren(
      ...spoken,
      ...(points.length > 0 ? plot(points, end, width, unit) : [nothing(width, unit)]),
    );
  };
  new ResizeObserver(draw).observe(node);
  const update = (now, until) => {
    [points, end] = [now, until];
    write(spoken[1], summary(points, unit));
    body.replaceChildren(...points.map(row));
    draw();
  };
  return { node, update };
}

function plot(points, end, width, unit) {
  const first = points[0].at;
  const last = Math.max(points.at(-1).at, end, first + 60);
  const highest = Math.max(4, ...points.map((point) => point.value));
  const most = Math.ceil(highest / roundUp(highest / 4)) * roundUp(highest / 4);
  const x = scale([first, last], [EDGE.left, width - EDGE.right]);
  const y = scale([0, most], [HEIGHT - EDGE.bottom, EDGE.top]);
  // From nothing to the first ones, and on to the present.
  const way = [
    { at: first, value: 0 },
    ...points,
    { at: Math.max(points.at(-1).at, end), value: points.at(-1).value },
  ]
    .map((point) => `${x(point.at).toFixed(1)} ${y(point.value).toFixed(1)}`)
    .join("L");
  const right = x(Math.max(points.at(-1).at, end));
  return [
    ...levels(most, y, width),
    ...times(first, last, x, width),
    drawn("text", { class: "axis-name", x: EDGE.left, y: HEIGHT - 3 }, "time"),
    drawn(
      "text",
      {
        class: "axis-name",
        transform: `rotate(-90) translate(${-(HEIGHT - EDGE.bottom + EDGE.top) / 2} 12)`,
        "text-anchor": "middle",
      },
      unit,
    ),
    drawn("path", { class: "area", d: `M${way}L${right.toFixed(1)} ${y(0)}Z` }),
    drawn("path", { class: "line", d: `M${way}` }),
    drawn("circle", { class: "point", cx: right, cy: y(points.at(-1).value), r: 4.5 }),
  ];
}

function levels(most, y, width) {
  const values = ticks(0, most, 6).filter(Number.isInteger);
  const texts = tickText(values);
  return values.flatMap((value, place) => [
    drawn("line", {
      class: value === 0 ? "axis" : "grid",
      x1: EDGE.left,
      x2: width - EDGE.right,
      y1: y(value),
      y2: y(value),
    }),
    drawn("text", { x: EDGE.left - 8, y: y(value), dy: "0.35em", "text-anchor": "end" }, texts[place]),
  ]);
}

function times(first, last, x, width) {
  const marks = timeTicks(first, last, Math.max(2, Math.floor(width / 130)));
  return marks.map(({ at, text }) =>
    drawn(
      "text",
      { x: x(at), y: HEIGHT - EDGE.bottom + 18, "text-anchor": x(at) > width - 45 ? "end" : "middle" },
      text,
    ),
  );
}

const nothing = (width, unit) =>
  drawn("text", { x: width / 2, y: HEIGHT / 2, "text-anchor": "middle" }, `No ${unit} yet`);

function summary(points, unit) {
  if (points.length === 0) return `No ${unit} yet.`;
  const [first, last] = [points[0], points.at(-1)];
  const [from, to] = [moment(1000 * first.at), moment(1000 * last.at)];
  return `From ${count(first.value)} ${unit} at ${from} to ${count(last.value)} at ${to}. The table below has all points.`;
}

function table(title, unit, body) {
  return element(
    "details",
    {},
    element("summary", {}, "As a table"),
    element(
      "div",
      { class: "scrolls tall", tabindex: "0", role: "region", "aria-label": `${title}, as a table` },
      element(
        "table",
        {},
        element("caption", { class: "unseen" }, title),
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            element("th", { scope: "col" }, "Until"),
            element("th", { scope: "col", class: "number" }, unit),
          ),
        ),
        body,
      ),
    ),
  );
}

const row = (point) =>
  element(
    "tr",
    {},
    element("th", { scope: "row" }, moment(1000 * point.at)),
    element("td", { class: "number" }, count(point.value)),
  );
