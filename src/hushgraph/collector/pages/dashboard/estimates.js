/** Class shares and feature means, each with its error bar. */

import { intervalTable } from "../charts/intervals.js";
import { tickText, ticks } from "../charts/scale.js";
import { element, write } from "../shared/dom.js";
import { count, counted, digitsFor, fixed, percent } from "../shared/words.js";

const NOTHING = "Nobody has answered this yet.";

/** @returns {{node: Node, update: (figures: object, terms: object) => void}} */
export function classShares() {
  const chart = intervalTable({
    caption: "Estimated share of each class, with a 95 % interval",
    of: "Class",
    figure: "Share",
    mark: "bar",
    guides: [0],
    text: (one) => `${percent(one.value)} ± ${(100 * one.halfWidth).toFixed(1)}`,
    axis: (_, highest) => [0, Math.min(1, Math.ceil(10 * Math.max(0.1, highest)) / 10)],
    marks: ([low, high]) => numbered(ticks(low, high), (value) => `${Math.round(100 * value)} %`),
  });
  const estimates = (figures, { classes }) =>
    classes.map((one, place) => ({ ...one, ...estimate(figures.classes[place], "share") }));
  const note = ({ labels, classes }) => {
    const odd = classes.some(({ share }) => share < 0 || share > 1)
      ? " Estimates below 0 or above 100 % are noise: there are few answers yet."
      : "";
    if (labels === 0) return NOTHING;
    return `From ${counted(labels, "label")}. The thin bars hold the true share 95 times in 100.${odd}`;
  };
  return figure("Classes", chart, estimates, note);
}

/** @returns {{node: Node, update: (figures: object, terms: object) => void}} */
export function featureMeans() {
  const chart = intervalTable({
    caption: "Estimated mean of each feature, with a 95 % interval",
    of: "Feature",
    figure: "Mean",
    mark: "dot",
    guides: [0, 1],
    text: (one) =>
      `${fixed(one.value, digitsFor(one.halfWidth))} ± ${fixed(one.halfWidth, digitsFor(one.halfWidth))}`,
    // Beyond its range a mean says nothing but how little is known.
    axis: (lowest, highest) => [Math.max(-1, Math.min(0, lowest)), Math.min(2, Math.max(1, highest))],
    marks: featureMarks,
  });
  const estimates = (figures, { features }) => {
    const alike = sameRange(features);
    const note = (one) => (alike ? "" : `${one.low} to ${one.high}`);
    return features.map((one, place) => ({
      ...one,
      note: note(one),
      ...estimate(figures.features[place], "mean"),
    }));
  };
  const note = ({ num_features: all, features_from: people }, { features }) => {
    if (people === 0) return NOTHING;
    const which =
      features.length < all
        ? `The first ${count(features.length)} of ${counted(all, "feature")}, from`
        : "From";
    return `${which} ${counted(people, "answer")}.`;
  };
  return figure("Features", chart, estimates, note);
}

/** What is known so far; before anybody answered, nothing. */
const estimate = (told, what) => ({ value: told?.[what] ?? NaN, halfWidth: told?.half_width ?? NaN });
const sameRange = (all) => all.every((one) => one.low === all[0].low && one.high === all[0].high);
const numbered = (values, text) => values.map((at) => ({ at, text: text(at) }));

/** Ends of ranges by name, unless all rows have the same ones. */
function featureMarks(_, all) {
  const [{ low, high }] = all;
  if (!sameRange(all))
    return [
      { at: 0, text: "low end" },
      { at: 1, text: "high end" },
    ];
  const values = [low, (low + high) / 2, high];
  return tickText(values).map((text, place) => ({ at: place / 2, text }));
}

function figure(title, chart, estimates, note) {
  const said = element("p", { class: "small soft" });
  const node = element(
    "section",
    { class: "card", "aria-label": title },
    element("h2", {}, title),
    said,
    chart.node,
  );
  const update = (figures, terms) => {
    const all = estimates(figures, terms);
    node.hidden = all.length === 0;
    if (all.length === 0) return;
    write(said, note(figures, terms));
    chart.update(all);
  };
  return { node, update };
}
