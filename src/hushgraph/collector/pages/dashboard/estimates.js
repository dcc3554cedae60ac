/** Class shares and feature means, each with its error bar. */

import { element, write } from "../shared/dom.js";
import { count, counted, digitsFor, percent } from "../shared/words.js";
import { intervalTable } from "../charts/intervals.js";
import { roundUp } from "../charts/scale.js";

/** @returns {{node: Node, update: (figures: object) => void}} */
export function classShares() {
  const chart = intervalTable({
    caption: "Estimated share of each class, with a 95 % interval",
    of: "Class",
    figure: "Share",
    mark: "bar",
    percent: true,
    tick: (value) => `${value} %`,
    text: (one) => `${percent(one.value)} ± ${(100 * one.halfWidth).toFixed(1)}`,
    axis: (all) => [0, Math.min(1, evenly(Math.max(0.1, ...all.map(top)), 0.1, Math.ceil))],
  });
  return figure("Classes", chart, (figures) => figures.classes, (figures) => `From ${counted(figures.labels, "label")}. The thin bars hold the true share 95 times in 100.`);
}

/** @returns {{node: Node, update: (figures: object) => void}} */
export function featureMeans() {
  const chart = intervalTable({
    caption: "Estimated mean of each feature, with a 95 % interval",
    of: "Feature",
    figure: "Mean",
    mark: "dot",
    text: (one) => `${one.value.toFixed(digitsFor(one.halfWidth))} ± ${one.halfWidth.toFixed(digitsFor(one.halfWidth))}`,
    axis: meansAxis,
  });
  return figure("Features", chart, (figures) => figures.features, (figures) => {
    const shown = figures.features.length;
    const part = shown < figures.num_features ? `The first ${count(shown)} of ${counted(figures.num_features, "feature")}, from` : "From";
    return `${part} ${counted(figures.features_from, "answer")}.`;
  });
}

const top = (one) => one.value + one.halfWidth;

function meansAxis(all) {
  const low = Math.min(...all.map((one) => one.value - one.halfWidth));
  const high = Math.max(...all.map(top));
  const step = roundUp((high - low || 1) / 5);
  return [evenly(low, step, Math.floor), evenly(high, step, Math.ceil)];
}

const evenly = (value, step, rounding) => rounding(value / step + (rounding === Math.ceil ? -1e-9 : 1e-9)) * step;

function figure(title, chart, part, note) {
  const said = element("p", { class: "small soft" });
  const node = element("section", { class: "card", "aria-label": title }, element("h2", {}, title), said, chart.node);
  const update = (figures) => {
    const given = part(figures) ?? [];
    node.hidden = given.length === 0;
    if (given.length === 0) return;
    write(said, note(figures));
    chart.update(given.map((one) => ({ name: one.name, value: one.mean ?? one.share, halfWidth: one.half_width })));
  };
  return { node, update };
}
