/** The answer, as a person gives it. What is entered stays in these fields until it is randomised, and nowhere else. */

import { element } from "../shared/dom.js";
import { limitCard } from "./cap.js";
import { VALUES, questionCard } from "./question.js";

/**
 * @param {object} device what the page knows
 * @param {(answer: object) => Promise<void>} randomise
 * @param {() => Promise<void>} optOut
 * @param {(text: string) => void} complain
 */
export function answerForm(device, { randomise, optOut, complain }) {
  const { campaign, spent } = device;
  const cards = campaign.asked.map((question) => questionCard(campaign, question, () => priced()));
  const limit = limitCard(spent, spent.delta > 0 || hasDelta(campaign));
  const taken = () => cards.filter((card) => card.taken());
  const levels = () => Object.fromEntries(taken().map((card) => [card.question, card.level()]));
  const priced = () =>
    limit.update(taken().length > 0 ? campaign.promise(levels()) : { epsilon: 0, delta: 0 });

  const submit = (event) => {
    event.preventDefault();
    if (taken().length === 0) return complain("Answer at least one question, or do not take part.");
    const read = taken().map((card) => [card.question, card.read()]);
    const allowed = limit.read();
    const wrong = [...read.map(([, one]) => one.wrong), allowed.wrong].filter(Boolean);
    if (wrong.length > 0) {
      wrong[0].input.focus();
      return complain(wrong.map((one) => one.text).join(" "));
    }
    const values = Object.fromEntries(read.map(([question, one]) => [VALUES[question], one.value]));
    return randomise({ values, levels: levels(), limit: allowed.value });
  };
  priced();
  return element(
    "form",
    { novalidate: true, autocomplete: "off", submit },
    cards.map((card) => card.node),
    limit.node,
    element(
      "div",
      { class: "actions" },
      element("button", { class: "first" }, "Randomise my answer"),
      element("button", { type: "button", click: optOut }, "Do not take part"),
    ),
    element("p", { class: "small soft" }, "Nothing is sent yet. You will see exactly what leaves first."),
  );
}

const hasDelta = (campaign) =>
  campaign.asked.some((question) => campaign.levels(question).some((level) => level.delta > 0));
