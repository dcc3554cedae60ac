/** What is shown at each stage. */

import { element } from "../shared/dom.js";
import { tokenForm } from "../shared/token_form.js";
import { drawnAnswer } from "./answered.js";
import { ENDED } from "./ended.js";
import { answerForm } from "./form.js";
import { steps } from "./stage.js";

/**
 * @param {string} stage
 * @param {object} device
 * @param {object} doings what the buttons do
 */
export function view(stage, device, doings) {
  if (stage === "asked") return section(stage, "Your answer", answerForm(device, doings));
  if (stage === "answered") return section(stage, "Look at it before it leaves", ...answered(device, doings));
  if (stage === "sent") return section(stage, "Your answer is sent", ...sent(device, doings));
  return section(stage, ENDED[stage].title, ...ended(stage, device, doings));
}

function section(stage, title, ...inside) {
  return element(
    "section",
    { class: `stage at-${stage}`, "aria-labelledby": "stage-title" },
    progress(stage),
    element("h2", { id: "stage-title", tabindex: "-1" }, title),
    inside,
  );
}

function progress(stage) {
  const way = steps(stage);
  if (way === null) return null;
  const item = (name, place) =>
    element("li", { "aria-current": place === way.at && "step", class: place < way.at && "done" }, name);
  return element("ol", { class: "steps", "aria-label": "Steps" }, way.names.map(item));
}

const NO_LINK =
  "To send or withdraw it, open your own link again, or enter its token: without it the server does not know you.";
const ANOTHER =
  "Your link is for another person than the one who answered on this device. A device answers for one person.";

function answered(device, doings) {
  const known = device.server !== "refused" && !device.isOfAnother;
  return [
    element(
      "p",
      { class: "lead" },
      "It is drawn, and this device gives no other one to this campaign. You can send it, or leave it here.",
    ),
    drawnAnswer(device),
    !known && stranger(device, doings),
    element(
      "div",
      { class: "actions" },
      known && button("Send", doings.send, "first"),
      button("Delete what this device keeps", doings.forget),
    ),
  ];
}

function sent(device, doings) {
  const known = device.server !== "refused" && !device.isOfAnother;
  return [
    element(
      "p",
      { class: "lead" },
      "Thank you. The server has kept it. You can close this page, or withdraw your answer at any time.",
    ),
    drawnAnswer(device),
    !known && stranger(device, doings),
    element(
      "div",
      { class: "actions" },
      known && button("Withdraw my answer", doings.withdraw, "final"),
      button("Delete what this device keeps", doings.forget),
    ),
  ];
}

/** Why the server does not know who this is, and how it can. */
function stranger(device, doings) {
  return [
    element("p", { class: "note" }, device.isOfAnother ? ANOTHER : NO_LINK),
    tokenEntry(doings),
  ];
}

const tokenEntry = (doings) => tokenForm("Your token", "Use this token", doings.useToken);

const ENTERED = ["no-link", "bad-link"];

function ended(stage, device, doings) {
  const there = device.server === "kept" && (stage === "elsewhere" || stage === "forgotten");
  const kept = stage === "withdrawn" && device.record?.bytes;
  return [
    ENDED[stage].text.map((text) => element("p", {}, text)),
    ENTERED.includes(stage) && tokenEntry(doings),
    stage === "forgotten" && there && element("p", {}, "The server still has the answer."),
    element(
      "div",
      { class: "actions" },
      there && button("Withdraw the answer", doings.withdraw, "final"),
      kept && button("Delete what this device keeps", doings.forget),
      stage === "unreachable" && button("Try again", doings.retry, "first"),
    ),
  ];
}

const button = (text, click, kind = "") =>
  element("button", { type: "button", class: kind || null, click }, text);
