/** One question: whether it is answered at all, how well the answer is hidden, and the answer. */

import { element, freshId, write } from "../shared/dom.js";
import { featuresInput } from "./features.js";
import { friendsInput } from "./friends.js";
import { labelInput } from "./label.js";
import { levelChoice } from "./levels.js";
import { TITLES } from "./questions.js";

const INPUTS = { features: featuresInput, label: labelInput, lists: friendsInput };

/** What the questions are called where an answer is given to the SDK. */
export const VALUES = { features: "features", label: "label", lists: "friends" };

/**
 * @param {(() => void)} changed is told when the price may have changed
 * @returns {{question: string, node: HTMLElement, taken: () => boolean, level: () => number,
 *   read: () => {value: unknown, wrong: {input: Element, text: string} | null}}}
 */
export function questionCard(campaign, question, changed) {
  const [titled, complaint] = [freshId("question"), freshId("wrong")];
  const input = INPUTS[question](campaign);
  const levels = levelChoice(campaign, question, changed);
  const wrong = element("p", { id: complaint, class: "wrong" });
  const inside = element("div", { class: "inside" }, levels.node, input.node, wrong);
  const take = element("input", { type: "checkbox", checked: true, autocomplete: "off" });
  take.addEventListener("change", () => {
    inside.hidden = !take.checked;
    changed();
  });
  const node = element(
    "section",
    { class: "card question", "aria-labelledby": titled },
    element("h3", { id: titled }, TITLES[question]),
    // With one question, not to answer it is not to answer.
    campaign.asked.length > 1 &&
      element("label", { class: "choice take" }, take, element("span", {}, "I answer this")),
    inside,
  );
  const read = () => {
    const answer = input.read();
    unmark(node);
    write(wrong, answer.wrong?.text ?? "");
    if (answer.wrong) mark(answer.wrong.input, complaint);
    return answer;
  };
  return { question, node, taken: () => take.checked, level: levels.level, read };
}

function mark(input, complaint) {
  input.setAttribute("aria-invalid", "true");
  const described = (input.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
  input.setAttribute("aria-describedby", [...new Set([...described, complaint])].join(" "));
}

function unmark(node) {
  node.querySelectorAll("[aria-invalid]").forEach((input) => input.removeAttribute("aria-invalid"));
}
