/** A small graph on both sides of the boundary: over there, some of what people said has been changed at random. */

import { drawn } from "../shared/dom.js";

const PEOPLE = [
  [60, 38],
  [128, 26],
  [30, 104],
  [98, 92],
  [152, 118],
  [62, 168],
  [126, 182],
];
const FRIENDS = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 3],
  [1, 4],
  [2, 3],
  [2, 5],
  [3, 4],
  [3, 5],
  [4, 6],
  [5, 6],
];
const TRUE = [1, 0, 1, 1, 0, 0, 0];
const SENT = [1, 1, 1, 0, 0, 0, 1];
const APART = 200;

/** Ornament only: the text beside it says the same. */
export function picture() {
  return drawn(
    "svg",
    { class: "picture", viewBox: "0 0 390 236", "aria-hidden": "true" },
    side(0, TRUE, "true"),
    side(APART, SENT, "sent"),
    drawn("line", { class: "boundary-line", x1: 192, x2: 192, y1: 4, y2: 232 }),
    drawn("text", { x: 91, y: 230, "text-anchor": "middle" }, "this device"),
    drawn("text", { x: 91 + APART, y: 230, "text-anchor": "middle" }, "the server"),
  );
}

function side(shift, answers, kind) {
  return drawn(
    "g",
    { class: kind, transform: `translate(${shift} 0)` },
    FRIENDS.map(([one, other]) => {
      const [[x1, y1], [x2, y2]] = [PEOPLE[one], PEOPLE[other]];
      return drawn("line", { x1, y1, x2, y2 });
    }),
    PEOPLE.map(([cx, cy], person) => drawn("circle", { class: `answer-${answers[person]}`, cx, cy, r: 11 })),
  );
}
