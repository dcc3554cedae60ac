/** Who somebody's friends are, by number. */

import { element, freshId, write } from "../shared/dom.js";
import { count, counted } from "../shared/words.js";
import { asNumber, listed, parts, places } from "./numbers.js";

/** @returns {{node: Node, read: () => {value: number[], wrong: {input: Element, text: string} | null}}} */
export function friendsInput(campaign) {
  const [id, hint, told] = [freshId("friends"), freshId("hint"), freshId("told")];
  const last = campaign.numPeople - 1;
  const tally = element("p", { id: told, class: "small soft tally", role: "status" });
  const area = element("textarea", {
    id,
    autocomplete: "off",
    spellcheck: "false",
    inputmode: "text",
    "aria-describedby": `${hint} ${told}`,
    input: () => write(tally, `${counted(numbers().length, "friend")} so far.`),
  });
  const numbers = () => parts(area.value).map(asNumber);
  const node = element(
    "div",
    { class: "field" },
    element("label", { for: id }, "Numbers of your friends, separated by commas"),
    element("p", { id: hint, class: "small soft" }, `From 0 to ${count(last)}. None is an answer too.`),
    area,
    tally,
  );
  const read = () => {
    const value = numbers();
    const bad = places(value, (one) => Number.isInteger(one) && one >= 0 && one <= last);
    const text = `Numbers of friends are whole numbers from 0 to ${count(last)}; look at the ${listed(bad)} of yours.`;
    return { value, wrong: bad.length > 0 ? { input: area, text } : null };
  };
  return { node, read };
}
