/** What a person agrees to: what is asked, how well each answer is hidden, and what is not. */

import { element } from "../shared/dom.js";
import { named } from "../shared/names.js";
import { counted, epsilon, odds, strength, warning } from "../shared/words.js";
import { picture } from "./picture.js";
import { TITLES, asks } from "./questions.js";

/** The top of the page. */
export function heading(campaign) {
  return element(
    "header",
    { class: "heading" },
    picture(),
    element("p", { class: "kicker" }, "You are asked to take part in"),
    element("h1", { tabindex: "-1" }, named(campaign.name)),
    element(
      "p",
      { class: "lead" },
      lead(campaign),
    ),
    element(
      "p",
      { class: "checked small soft" },
      "These terms are the ones your link names. ",
      element(
        "span",
        { class: "mono", title: campaign.id },
        `${campaign.id.slice(0, 8)}…${campaign.id.slice(-8)}`,
      ),
    ),
  );
}

/** What happens to answers here, and no more than that. */
function lead(campaign) {
  const levels = campaign.asked.flatMap((question) => campaign.levels(question));
  const hidden = levels.filter((level) => Number.isFinite(level.epsilon)).length;
  if (hidden === 0) return "Nothing is hidden in this campaign: what you answer is sent as it is.";
  if (hidden < levels.length) {
    return (
      "This device changes some of your answers at random before they leave it, and sends others as they are: " +
      "below, those are called not hidden."
    );
  }
  return (
    "This device changes your answers at random before anything leaves it. The server gets only what has been " +
    "changed. What that can still tell about you, to the people who run this campaign and to whoever else reads " +
    "it, is limited by the odds below."
  );
}

/** What is asked, and at which price. */
export function asked(campaign) {
  return element(
    "section",
    { class: "asked", "aria-labelledby": "asked" },
    element("h2", { id: "asked" }, "What is asked"),
    element(
      "dl",
      { class: "questions" },
      campaign.asked.map((question) => row(campaign, question)),
    ),
    element(
      "div",
      { class: "meaning" },
      element("h3", {}, "What ε means"),
      element("p", {}, "ε (epsilon) is how much an answer can give away. Smaller is safer."),
      element(
        "p",
        {},
        "“Odds of at most 3 to 1”: somebody who thinks two answers of yours equally likely, " +
          "and then sees what you send, " +
          "can think one of them at most three times as likely as the other.",
      ),
    ),
  );
}

function row(campaign, question) {
  const levels = campaign.levels(question);
  return element(
    "div",
    {},
    element("dt", {}, TITLES[question], element("span", {}, asks(campaign, question))),
    element(
      "dd",
      {},
      levels.map((level) =>
        element(
          "p",
          {},
          element("b", {}, `ε = ${epsilon(level.epsilon)}`),
          " ",
          element("span", {}, phrase(question, level), weak(level)),
        ),
      ),
    ),
  );
}

/** A warning beside a level that hides little. */
export function weak(level) {
  const text = warning(level.epsilon);
  return text === "" ? null : [" ", element("strong", { class: "weak" }, text)];
}

function phrase(question, level) {
  const each =
    question === "lists" && Number.isFinite(level.epsilon) ? "for each person on or off your list, " : "";
  return each + strength(level.epsilon, level.delta);
}

/** What nothing here hides, and what the promise rests on. */
export function limits(campaign) {
  return element(
    "section",
    { class: "limits" },
    element("div", {}, element("h2", {}, "What is not hidden"), items(exposed(campaign))),
    element("div", {}, element("h2", {}, "What the promise rests on"), items(conditions(campaign))),
  );
}

const items = (texts) =>
  element(
    "ul",
    {},
    texts.map((text) => element("li", {}, text)),
  );

function exposed(campaign) {
  const choice = campaign.asked.some((question) => campaign.levels(question).length > 1);
  const lists = campaign.asked.includes("lists");
  return [
    "That you take part, and which questions you answer.",
    choice && "Which level of privacy you choose.",
    !lists && "Who is connected to whom: whoever runs this campaign may know it already.",
    lists && friendship(campaign),
    "When your answer arrives, and from which address on the internet.",
    "What everybody together says. That is what is learned here, and it may be true of you too.",
  ].filter(Boolean);
}

function friendship(campaign) {
  const worst = Math.max(...campaign.levels("lists").map((level) => level.epsilon));
  const both = Number.isFinite(worst)
    ? `then it is hidden at odds of at most ${odds(2 * worst)}`
    : "it is not hidden";
  return `A friendship as well as an entry of your list: your friend may report it too, and ${both}.`;
}

function conditions(campaign) {
  const features = campaign.asked.includes("features");
  return [
    "You answer once. This browser sees to that, and adds up the ε of all campaigns that you answered at this " +
      `address, ${location.host}: not of those at other addresses, in other browsers, or before its data was cleared.`,
    features &&
      "A number outside its range counts as the nearest end, and one that is left out as the middle.",
    "This device and this browser are yours, and nobody has changed them.",
    "Your link stays yours. If you opened it, this browser’s history keeps it, and whoever has it can answer, " +
      "read your answer or withdraw it as you. Where others use this browser too, delete it from the history.",
    features &&
      campaign.rangesFromData &&
      "The ranges were read off people’s data, so the promise is a claim and not proven.",
    campaign.classesFromData &&
      "The list of groups was read off people’s data, so the promise is a claim and not proven.",
    campaign.numPeople &&
      `The people who can be asked are a public list of ${counted(campaign.numPeople, "person", "people")}.`,
  ].filter(Boolean);
}
