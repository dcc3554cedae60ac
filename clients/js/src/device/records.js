// What the device remembers, from the entries that its store holds in order: records, and what was spent.
//
// Entries are only ever added: an answer, that it was sent, withdrawn or forgotten, or that somebody opted out.
// So a kill at any moment leaves a state that was true, and nothing that was spent is ever unspent.

import { BudgetExceededError } from "../errors.js";
import { exceeds, sum } from "../mechanisms/exact.js";

// Sums such as 0.1 + 0.2 must not be refused for the last bit of a double: one part of 10⁹ is spared.
const ROUNDING = 1;
const STATES = {
  answer: "answered",
  "opt-out": "opted-out",
  sent: "sent",
  withdrawn: "withdrawn",
  forgotten: "forgotten",
};
// A report that was withdrawn or forgotten stays so, whatever a slower tab reports.
const RANK = { answered: 0, sent: 1, forgotten: 2, withdrawn: 3 };
const WITHOUT_BYTES = ["forgotten", "withdrawn"];

/** One record for each campaign, in the order in which they were first met. */
export function recordsOf(entries) {
  const records = new Map();
  for (const entry of entries) {
    const before = records.get(entry.campaignId);
    records.set(entry.campaignId, before ? changed(before, entry) : begun(entry));
  }
  return [...records.values()];
}

/** The record of one campaign, or undefined. */
export function recordOf(entries, campaignId) {
  return recordsOf(entries.filter((entry) => entry.campaignId === campaignId))[0];
}

/** The ε and the δ of everything that was answered, sent or not. */
export function spentOf(entries) {
  const answers = entries.filter(({ kind }) => kind === "answer");
  return {
    epsilon: sum(answers.map(({ epsilon }) => epsilon)),
    delta: sum(answers.map(({ delta }) => delta)),
  };
}

/** Refuses what would cost more than the cap leaves; added up in whole numbers, so that nothing is rounded down. */
export function checkPrice(entries, price, cap, name) {
  const due = [...entries.filter(({ kind }) => kind === "answer"), price];
  for (const what of ["epsilon", "delta"]) {
    const costs = due.map((one) => one[what]);
    if (exceeds(costs, cap[what], ROUNDING)) {
      const total = Number(sum(costs).toPrecision(6));
      throw new BudgetExceededError(`${name}: insufficient privacy budget: ${what} ${total} > ${cap[what]}`);
    }
  }
}

/** The numbers of entries that still hold bytes which were to be deleted. */
export function leftovers(entries) {
  const ended = entries.filter(({ kind }) => WITHOUT_BYTES.includes(kind));
  const gone = new Set(ended.map(({ campaignId }) => campaignId));
  return entries.filter((entry) => entry.bytes && gone.has(entry.campaignId)).map(({ number }) => number);
}

function begun({ kind, campaignId, campaignName, person = null, bytes = null, epsilon = 0, delta = 0, at }) {
  return { campaignId, campaignName, person, bytes, epsilon, delta, at, state: STATES[kind] };
}

function changed(record, { kind }) {
  const state = STATES[kind];
  if (!(RANK[state] > RANK[record.state])) return record;
  return { ...record, state, bytes: WITHOUT_BYTES.includes(state) ? null : record.bytes };
}
