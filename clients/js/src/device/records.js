// What the device remembers, from the entries that its store holds in order: records, and what was spent.
//
// Entries are only ever added: an answer, that it was sent, withdrawn or forgotten, or that somebody opted out.
// So a kill at any moment leaves a state that was true, and nothing that was spent is ever unspent.

import { BudgetExceededError } from "../errors.js";

// Sums such as 0.1 + 0.2 must not be refused for the last bit of a double.
const ROUNDING = 1e-9;
const STATES = { answer: "answered", "opt-out": "opted-out", sent: "sent", withdrawn: "withdrawn", forgotten: "forgotten" };
// A report that was withdrawn or forgotten stays so, whatever a slower tab reports.
const RANK = { answered: 0, sent: 1, withdrawn: 2, forgotten: 3 };

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

/** The ε and the δ of everything that was answered, never rounded down. */
export function spentOf(entries) {
  return entries.reduce((spent, entry) => (entry.kind === "answer" ? plus(spent, entry) : spent), { epsilon: 0, delta: 0 });
}

/** Refuses what would cost more than the cap leaves. */
export function checkPrice(entries, price, cap, name) {
  const total = plus(spentOf(entries), price);
  for (const kind of ["epsilon", "delta"]) {
    if (total[kind] > cap[kind] * (1 + ROUNDING)) {
      const sum = Number(total[kind].toPrecision(6));
      throw new BudgetExceededError(`${name}: insufficient privacy budget: ${kind} ${sum} > ${cap[kind]}`);
    }
  }
}

/** The numbers of entries that still hold bytes which were to be forgotten. */
export function leftovers(entries) {
  const gone = new Set(entries.filter(({ kind }) => kind === "forgotten").map(({ campaignId }) => campaignId));
  return entries.filter((entry) => entry.bytes && gone.has(entry.campaignId)).map(({ number }) => number);
}

function begun({ kind, campaignId, campaignName, person = null, bytes = null, epsilon = 0, delta = 0, at }) {
  return { campaignId, campaignName, person, bytes: bytes && bytes.slice(), epsilon, delta, at, state: STATES[kind] };
}

function changed(record, { kind }) {
  const state = STATES[kind];
  if (!(RANK[state] > RANK[record.state])) return record;
  return { ...record, state, bytes: state === "forgotten" ? null : record.bytes };
}

function plus(spent, price) {
  return { epsilon: sumFromAbove(spent.epsilon, price.epsilon), delta: sumFromAbove(spent.delta, price.delta) };
}

/** A sum that is never rounded down: a price too small to change it would cost nothing. */
function sumFromAbove(one, other) {
  const sum = one + other;
  const roundedDown = sum - Math.max(one, other) < Math.min(one, other);
  return roundedDown ? sum * (1 + Number.EPSILON) : sum;
}
