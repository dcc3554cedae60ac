// Laplace noise on whole numbers, drawn exactly: P(k) is proportional to exp(-|k| / t) for a whole scale t.
//
// The draw compares whole numbers with whole numbers and nothing else (Canonne, Kamath & Steinke, NeurIPS 2020,
// Algorithms 1 and 2). Many draws go side by side, and take their words in the order of the Python library.

import { belowEach, draw } from "./randomness.js";

/** The largest scale: factors of a few hundred on top of it still fit a word. */
export const LARGEST_SCALE = 1n << 50n;
const BLOCK = 1 << 20;
const ENDLESS = 1n << 63n;

/** So many draws of one scale, as signed 64-bit numbers. */
export function discreteLaplace(count, scale, source) {
  return byRejection(count, (open) => offered(open, scale, source));
}

/** Draws: what is not kept of those that `offer` makes is drawn again. */
export function byRejection(count, offer) {
  const drawn = new BigInt64Array(count);
  for (let start = 0; start < count; start += BLOCK) {
    let open = Array.from({ length: Math.min(BLOCK, count - start) }, (_, place) => start + place);
    while (open.length > 0) {
      const { values, kept } = offer(open.length);
      open = open.filter((place, number) => {
        if (kept[number]) drawn[place] = values[number];
        return !kept[number];
      });
    }
  }
  return drawn;
}

function offered(count, scale, source) {
  const values = new BigInt64Array(count);
  const scales = new BigUint64Array(count).fill(scale);
  const part = belowEach(scales, source);
  const kept = happensWithExpMinus(part, scales, source);
  const going = placesOf(kept);
  const units = wholeUnits(new BigUint64Array(going.length).fill(ENDLESS), source);
  const signs = draw(source, going.length);
  going.forEach((place, number) => {
    const size = part[place] + scale * units[number];
    const negative = (signs[number] & 1n) === 1n;
    values[place] = negative ? -size : size;
    // Zero has one sign, not two.
    kept[place] = !negative || size > 0n;
  });
  return { values, kept };
}

/** How often in a row something of probability 1/e happens, if it is tried `most` times at most. */
export function wholeUnits(most, source) {
  const units = new BigUint64Array(most.length);
  let going = placesOf(most);
  while (going.length > 0) {
    const ones = new BigUint64Array(going.length).fill(1n);
    const happened = happensWithExpMinus(ones, ones, source);
    going = going.filter((place, number) => {
      if (happened[number]) units[place] += 1n;
      return happened[number] && units[place] < most[place];
    });
  }
  return units;
}

/**
 * True with probability exp(-above/below), a fraction in [0, 1]. Things of probability x, x/2, x/3, … are tried
 * until one fails: the number of tries is odd with probability 1 - x + x²/2 - x³/6 + … = exp(-x).
 */
export function happensWithExpMinus(above, below, source) {
  const happens = new Array(above.length).fill(false);
  let going = Array.from(above.keys());
  for (let tries = 1; going.length > 0; tries++) {
    const times = BigInt(tries);
    const drawn = belowEach(
      BigUint64Array.from(going, (place) => below[place] * times),
      source,
    );
    going = going.filter((place, number) => {
      const succeeded = drawn[number] < above[place];
      if (!succeeded) happens[place] = tries % 2 === 1;
      return succeeded;
    });
  }
  return happens;
}

function placesOf(array) {
  const places = [];
  array.forEach((value, place) => {
    if (value) places.push(place);
  });
  return places;
}
