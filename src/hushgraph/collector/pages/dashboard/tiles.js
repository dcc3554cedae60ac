/** The few numbers that come first. */

import { drawn, element, set, write } from "../shared/dom.js";
import { count, percent } from "../shared/words.js";

/** @returns {{node: Node, update: (figures: object) => void}} */
export function tiles() {
  const [answers, withdrawn, labels, features] = [
    "Answers",
    "Withdrawn",
    "Gave a label",
    "Gave features",
  ].map(tile);
  const done = drawn("rect", { class: "done", height: "100%", x: 0 });
  answers.number.after(drawn("svg", { class: "progress", "aria-hidden": "true" }, done));
  const node = element("dl", { class: "tiles" }, answers.node, withdrawn.node, labels.node, features.node);
  const update = (figures) => {
    const { num_people: people, reports } = figures;
    const share = people ? reports / people : 0;
    answers.update(
      count(reports),
      people
        ? `of ${count(people)} people, ${percent(share, share < 0.01 ? 2 : 1)}`
        : "nobody knows of how many people",
    );
    set(done, { width: `${(100 * Math.min(1, share)).toFixed(2)}%` });
    withdrawn.update(count(figures.withdrawn), "not in any figure; backups may have them");
    labels.update(count(figures.labels ?? 0), "in the shares of classes");
    features.update(count(figures.features_from ?? 0), "in the means of features");
  };
  return { node, update };
}

function tile(name) {
  const [number, note] = [element("dd", { class: "figure" }), element("dd", { class: "small soft" })];
  const node = element("div", { class: "card tile" }, element("dt", {}, name), number, note);
  const update = (text, beside) => {
    write(number, text);
    write(note, beside);
  };
  return { node, number, update };
}
