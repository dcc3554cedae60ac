/** The dashboard: put together once, and then only its figures change, so that nothing jumps. */

import { lineChart } from "../charts/line.js";
import { element, write } from "../shared/dom.js";
import { balanced } from "../shared/names.js";
import { controls } from "./controls.js";
import { expectedError } from "./errors.js";
import { classShares, featureMeans } from "./estimates.js";
import { friends } from "./friends.js";
import { levelsTaken } from "./levels.js";
import { statement } from "./statement.js";
import { tiles } from "./tiles.js";

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const FEW = 12;
const STATES = { draft: "not started", open: "open", closed: "closed" };

/** @param {{id: string, token: string, changed: () => void, pause: (yes: boolean) => void}} page */
export function board(page) {
  const [name, state, fresh] = [
    element("bdi", {}),
    element("span", { class: "pill" }),
    element("span", { class: "soft small" }),
  ];
  const simulated = element("p", { class: "card simulated", hidden: true });
  const buttons = controls(page);
  const line = lineChart({ title: "Answers over time", unit: "answers" });
  const pieces = [
    buttons,
    tiles(),
    classShares(),
    featureMeans(),
    expectedError(),
    levelsTaken(),
    friends(),
    statement(),
  ];
  const [, first, classes, features, error, levels, lists, promise] = pieces.map((piece) => piece.node);
  const [left, right] = [element("div", {}, classes, error, lists, levels), element("div", {}, features)];
  const node = element(
    "div",
    { class: "board" },
    element(
      "header",
      { class: "top" },
      element("div", {}, element("h1", { tabindex: "-1" }, name), element("p", { class: "state" }, state, fresh)),
      buttons.node,
    ),
    simulated,
    first,
    element(
      "section",
      { class: "card wide", "aria-labelledby": "over-time" },
      element("h2", { id: "over-time" }, "Answers over time"),
      line.node,
    ),
    element("div", { class: "pair" }, left, right),
    promise,
  );
  const update = (figures, terms) => {
    write(name, balanced(figures.name));
    write(state, STATES[figures.state] ?? figures.state);
    state.className = `pill is-${figures.state}`;
    write(fresh, `as of ${CLOCK.format(new Date())}`);
    simulated.hidden = !figures.simulated;
    write(
      simulated,
      `${figures.simulated} of these answers say that they are simulated: their noise came from a seed.`,
    );
    const points = figures.over_time.map((point) => ({ at: point.until, value: point.reports }));
    line.update(points, figures.state === "open" ? Date.now() / 1000 : 0);
    pieces.forEach((piece) => piece.update(figures, terms));
    // Beside a short list of features there is room.
    const place = terms.features.length > FEW ? left : right;
    if (levels.parentElement !== place) place.append(levels);
  };
  return { node, update, stale: (why) => write(fresh, why) };
}
