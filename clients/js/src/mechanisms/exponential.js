// e to the power of a double, between two whole numbers.

import { fraction } from "./exact.js";

/** Whole numbers [low, high] with low ≤ e^x · 2^bits ≤ high, for 0 ≤ x < 64; close for many bits. */
export function exponentialBounds(x, bits) {
  const [above, below] = fraction(x);
  // e^x = (e^(x / 2^halvings))^(2^halvings): what is left is below 2⁻⁸, where the series is short.
  const halvings = 14;
  const precision = BigInt(bits + 2 * halvings + 128);
  const one = 1n << precision;
  const divisor = below << BigInt(halvings);
  const least = (above << precision) / divisor;
  const most = least * divisor === above << precision ? least : least + 1n;
  let low = series(least, one, precision, false);
  let high = series(most, one, precision, true);
  for (let squared = 0; squared < halvings; squared++) {
    low = (low * low) >> precision;
    high = ((high * high) >> precision) + 1n;
  }
  const spare = precision - BigInt(bits);
  return [low >> spare, (high >> spare) + 1n];
}

function series(part, one, precision, above) {
  let total = one;
  let term = one;
  for (let number = 1n; term > 0n; number++) {
    term = ((term * part) >> precision) / number;
    total += term;
    // Each term was rounded down by less than 3, and all that follow the last one are below 1 together.
    if (above) total += 3n;
  }
  return above ? total + 1n : total;
}
