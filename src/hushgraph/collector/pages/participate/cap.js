/** How much a person is willing to give away in all, over every campaign that is answered at this address. */

import { element, freshId, set, write } from "../shared/dom.js";
import { epsilon, strength, tiny } from "../shared/words.js";
import { budgetBar } from "./budget_bar.js";

const KEY = "hushgraph/limit";
const SUGGESTED = { epsilon: 4, delta: 0 };
const TOLERANCE = 1e-9;

/** The limit that was set before, or one that is suggested and shown before anything is spent. */
export function savedLimit() {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return saved?.epsilon > 0 && saved?.delta >= 0 ? saved : SUGGESTED;
  } catch {
    return SUGGESTED;
  }
}

function save(limit) {
  try {
    localStorage.setItem(KEY, JSON.stringify(limit));
  } catch {
    // Then it is asked for again next time.
  }
}

/**
 * The field, and what the answer would cost.
 * @param {{epsilon: number, delta: number}} spent before
 * @param {boolean} withDelta whether this campaign or an earlier one has a δ at all
 */
export function limitCard(spent, withDelta) {
  const [titled, told, complaint] = [freshId("limit"), freshId("price"), freshId("wrong")];
  const start = savedLimit();
  const field = numeric(start.epsilon, 0.5, complaint);
  const small = numeric(start.delta, "any", complaint);
  const bar = budgetBar();
  const price = element("p", { id: told, role: "status", class: "price" });
  const wrong = element("p", { id: complaint, class: "wrong" });
  const limit = () => ({
    epsilon: field.valueAsNumber,
    delta: withDelta ? small.valueAsNumber : start.delta,
  });
  let promised = { epsilon: 0, delta: 0 };

  const update = (promise = promised) => {
    promised = promise;
    const now = limit();
    const enough = fits(spent, promise, now);
    bar.update(spent.epsilon, promise.epsilon, now.epsilon);
    write(price, priced(spent, promise, now, enough));
    set(price, { class: enough ? "price" : "price over" });
  };
  for (const input of [field, small]) {
    input.addEventListener("input", () => {
      if (valid(limit())) save(limit());
      update();
    });
  }
  const node = element(
    "section",
    { class: "card", "aria-labelledby": titled },
    element("h3", { id: titled }, "What it costs you"),
    element(
      "div",
      { class: "limit" },
      labelled(field, "Your limit: the most ε in all campaigns that you answer here"),
      withDelta && labelled(small, "Your limit for δ, the chance that ε does not hold"),
    ),
    bar.node,
    price,
    wrong,
  );
  const read = () => {
    const text = fault(limit(), fits(spent, promised, limit()));
    field.toggleAttribute("aria-invalid", false);
    if (text !== null) field.setAttribute("aria-invalid", "true");
    write(wrong, text ?? "");
    return { value: limit(), wrong: text === null ? null : { input: field, text } };
  };
  return { node, update, read };
}

const valid = (limit) => limit.epsilon > 0 && limit.delta >= 0 && limit.delta < 1;

function fits(spent, promise, limit) {
  return (
    spent.epsilon + promise.epsilon <= limit.epsilon + TOLERANCE &&
    spent.delta + promise.delta <= limit.delta + TOLERANCE
  );
}

function fault(limit, enough) {
  if (!valid(limit)) return "Your limit is a number above 0.";
  return enough
    ? null
    : "This is more than your limit. Hide it better, leave a question out, or raise the limit.";
}

function priced(spent, promise, limit, enough) {
  if (!Number.isFinite(promise.epsilon)) return "An answer like this is not hidden, and no limit allows it.";
  const chance = promise.delta > 0 ? ` and δ = ${tiny(promise.delta)}` : "";
  const whole = `This answer costs ε = ${epsilon(promise.epsilon)}${chance}: ${strength(promise.epsilon)}.`;
  const before = spent.epsilon > 0 ? ` ε = ${epsilon(spent.epsilon)} is spent already at this address.` : "";
  const rest = limit.epsilon - spent.epsilon - promise.epsilon;
  const after = enough
    ? ` It leaves ε = ${epsilon(Math.max(0, rest))} of your limit.`
    : " That is more than your limit.";
  return whole + before + (valid(limit) ? after : "");
}

function numeric(value, step, complaint) {
  const input = element("input", {
    type: "number",
    id: freshId("number"),
    min: 0,
    step,
    inputmode: "decimal",
    autocomplete: "off",
    "aria-describedby": complaint,
  });
  input.value = String(value);
  return input;
}

const labelled = (input, text) =>
  element("div", { class: "field" }, element("label", { for: input.id }, text), input);
