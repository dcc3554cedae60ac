// What the tests share: campaigns, words that are written down, folders that vanish.

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Campaign } from "../src/index.js";

const NOTHING = {
  classes: ["cat", "dog"],
  classes_from_data: false,
  feature_names: null,
  features: [],
  format: 1,
  labels: [],
  lists: [],
  name: "test",
  num_features: 0,
  num_people: null,
  ranges: null,
  ranges_from_data: false,
};

export const response = (epsilon) => ({ mechanism: "randomized-response", epsilon });
export const infinite = { number: "inf" };

/** The terms of a campaign that asks for nothing but what is changed, as the Python library writes them. */
export function terms(changed = {}) {
  return JSON.stringify({ ...NOTHING, ...changed }, (_, value) => sorted(value));
}

function sorted(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function idOf(text) {
  return createHash("sha256").update(text).digest("hex");
}

export function campaign(changed) {
  const text = terms(changed);
  return Campaign.fromTerms(text, idOf(text));
}

/** Words that follow from a text: block i is SHA-256 of the text and i in 4 bytes. */
export function wordsOf(text) {
  let [block, left] = [0, []];
  return {
    words(count) {
      while (left.length < count) {
        const number = Buffer.alloc(4);
        number.writeUInt32LE(block++);
        const digest = createHash("sha256").update(text).update(number).digest();
        left.push(...[0, 8, 16, 24].map((place) => digest.readBigUInt64LE(place)));
      }
      const drawn = BigUint64Array.from(left.slice(0, count));
      left = left.slice(count);
      return drawn;
    },
  };
}

/** Exactly these words, and no others. */
export function scripted(...words) {
  let left = words;
  return {
    words(count) {
      if (count > left.length) throw new Error("there are no more words");
      const drawn = BigUint64Array.from(left.slice(0, count));
      left = left.slice(count);
      return drawn;
    },
    get left() {
      return left.length;
    },
  };
}

/** A small generator with a seed, for the choices of a test and never for privacy. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A folder for one test. */
export function folder(context) {
  const path = mkdtempSync(join(tmpdir(), "hushgraph-"));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Whether counts may come from these probabilities, by a chi-square test at 10⁻⁹ (Wilson & Hilferty). */
export function explains(counts, probabilities) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const distance = counts.reduce((sum, count, cell) => {
    const expected = total * probabilities[cell];
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  const freedom = counts.length - 1;
  const spread = 2 / (9 * freedom);
  // The normal quantile that is passed once in 10⁹.
  return Math.cbrt(distance / freedom) < 1 - spread + 5.9978 * Math.sqrt(spread);
}
