/** How far off estimates are to be expected, with what there is and if everybody answered. */

import { element, write } from "../shared/dom.js";
import { count } from "../shared/words.js";

/** @returns {{node: Node, update: (figures: object) => void}} */
export function expectedError() {
  const body = element("tbody", {});
  const [now, everybody] = [
    element("th", { scope: "col", class: "number" }),
    element("th", { scope: "col", class: "number" }),
  ];
  const node = element(
    "section",
    { class: "card", "aria-labelledby": "expected-error" },
    element("h2", { id: "expected-error" }, "Expected error"),
    element(
      "p",
      { class: "small soft" },
      "Half the width of a 95 % interval, on average. Four times as many answers halve it.",
    ),
    element(
      "table",
      {},
      element("caption", { class: "unseen" }, "Expected error"),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Of"), now, everybody)),
      body,
    ),
  );
  const update = ({ expected_error: expected, num_people: people }) => {
    node.hidden = !expected;
    if (!expected) return;
    const all = expected.at_everybody;
    write(now, `now (${count(expected.now)})`);
    write(everybody, all && people ? `with all ${count(people)}` : "with everybody");
    const rows = [
      ["A class’s share, in points", points(expected.classes), points(all?.classes)],
      ["A feature’s mean", plain(expected.features), plain(all?.features)],
    ];
    body.replaceChildren(...rows.map(([name, ...figures]) => row(name, figures)));
  };
  return { node, update };
}

const known = (value) => typeof value === "number" && Number.isFinite(value);
const points = (value) => (known(value) ? `± ${(100 * value).toFixed(2)}` : "–");
const plain = (value) => (known(value) ? `± ${value.toPrecision(3)}` : "–");
const row = (name, figures) =>
  element(
    "tr",
    {},
    element("th", { scope: "row" }, name),
    figures.map((figure) => element("td", { class: "number" }, figure)),
  );
