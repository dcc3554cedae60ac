// One private bit about a number: the coin that the multi-bit and 1-bit mechanisms toss.

import { fraction, nextBelow } from "./exact.js";
import { draw, WORDS } from "./randomness.js";
import { rarestOutcome } from "./rarest_outcome.js";
import { roundHalfEven } from "./rounding.js";

/** The largest double of which `parts` add up to at most `epsilon`, exactly. */
export function share(epsilon, parts) {
  const [whole, under] = fraction(epsilon);
  const addsUpTooHigh = (part) => {
    const [above, below] = fraction(part);
    return above * BigInt(parts) * under > whole * below;
  };
  let part = epsilon / parts;
  while (addsUpTooHigh(part)) part = nextBelow(part);
  return part;
}

/**
 * How many of the 2⁶⁴ words answer +1, for a value inside [low, high]: from 2⁶⁴/(e^ε+1) at low, rising to what
 * is left of it at high, never beyond either, whatever the rounding.
 */
export function wordsForPlus(epsilon, low, high) {
  const least = rarestOutcome(epsilon, 2);
  const span = WORDS - 2n * least;
  const [whole, rest] = [span >> 32n, span & 0xffffffffn];
  return (value) => {
    const position = BigInt(roundHalfEven(((value - low) / (high - low)) * 2 ** 32));
    return least + position * whole + ((position * rest) >> 32n);
  };
}

/** A sign for each value, +1 or -1; all words are drawn at once. */
export function toss(values, epsilon, low, high, source) {
  const plus = wordsForPlus(epsilon, low, high);
  const drawn = draw(source, values.length);
  return Int8Array.from(values, (value, place) => (drawn[place] < plus(value) ? 1 : -1));
}

/** What a sign is multiplied with to be unbiased around the middle of the range. */
export function scaleOfSign(epsilon, low, high) {
  return (high - low) / 2 / Math.tanh(epsilon / 2);
}
