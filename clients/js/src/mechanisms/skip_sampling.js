// Which of very many independent trials succeed, in time proportional to the successes.
//
// Each trial succeeds with probability p = t / 2⁶⁴ exactly. The gap to the next success is drawn: j trials fail
// if a uniform number lies below (1 - p)^j. Its first 64 bits and double precision nearly always tell which gap
// that is; where they leave a doubt, whole numbers and as many further bits as it takes decide.

import { draw, WORDS } from "./randomness.js";

const BLOCK = 1 << 18;
// What double precision may get wrong, with 4 bits to spare, relative to the gap and to its mean.
const DOUBT = 2 ** -48;

/** The numbers of the trials that succeed, sorted; each with probability `threshold` / 2⁶⁴. */
export function successes(trials, threshold, source) {
  const found = [];
  if (threshold === 0n) return found;
  let done = 0;
  while (done < trials) {
    const expected = Number(BigInt(trials - done) * threshold) / 2 ** 64;
    const drawn = draw(source, Math.floor(Math.min(BLOCK, expected + 4 * Math.sqrt(expected) + 8)));
    for (const gap of gaps(drawn, threshold, trials, source)) {
      done += gap + 1;
      if (done > trials) break;
      found.push(done - 1);
    }
  }
  return found;
}

/** How many trials fail before the next success, for each word; `longest` stands for that and more. */
export function gaps(drawn, threshold, longest, source) {
  const p = Number(threshold) / 2 ** 64;
  const slope = p < 0.5 ? Math.log1p(-p) : Math.log(Number(WORDS - threshold) / 2 ** 64);
  const mean = 1 / p;
  const found = Array.from(drawn, (word) => {
    // The uniform number lies between the word and the next one.
    const shortest = Math.log((Number(word) + 1) * 2 ** -64) / slope;
    const furthest = Math.log(Number(word) * 2 ** -64) / slope;
    const least = Math.floor(Math.min(shortest - DOUBT * (shortest + mean), longest));
    const most = Math.floor(Math.min(furthest + DOUBT * (furthest + mean), longest));
    return least === most ? Math.max(least, 0) : null;
  });
  // Whatever further bits are needed are drawn after the words of all.
  return found.map((gap, place) => gap ?? Math.min(longest, exactGap(drawn[place], threshold, source)));
}

/** The largest j for which a uniform number with these first 64 bits lies below (1 - p)^j. */
export function exactGap(word, threshold, source) {
  const uniform = { number: word, bits: 64n };
  const isBelow = (exponent) => isBelowPower(uniform, WORDS - threshold, exponent, source);
  let [low, high] = [0n, 1n];
  while (isBelow(high)) [low, high] = [high, 2n * high];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return Number(low);
}

/** Whether a uniform number, of which as many bits are drawn as needed, is below (numerator / 2⁶⁴)^exponent. */
function isBelowPower(uniform, numerator, exponent, source) {
  for (;;) {
    const [least, most] = power(numerator, exponent, uniform.bits + 64n);
    if ((uniform.number + 1n) << 64n <= least) return true;
    if (uniform.number << 64n >= most) return false;
    uniform.number = (uniform.number << 64n) | draw(source, 1)[0];
    uniform.bits += 64n;
  }
}

/** Bounds of (numerator / 2⁶⁴)^exponent · 2^precision; equal where that is a whole number. */
export function power(numerator, exponent, precision) {
  const scale = precision + 64n;
  const up = (number, bits) => -(-number >> bits);
  let [least, most] = [1n << scale, 1n << scale];
  let [low, high] = [numerator << (scale - 64n), numerator << (scale - 64n)];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) [least, most] = [(least * low) >> scale, up(most * high, scale)];
    [low, high] = [(low * low) >> scale, up(high * high, scale)];
  }
  return [least >> 64n, up(most, 64n)];
}
