// How many of the 2⁶⁴ words stand for each outcome that is not the true one.

import { ceilingOf, fraction } from "./exact.js";
import { exponentialBounds } from "./exponential.js";
import { WORDS } from "./randomness.js";

/**
 * The least whole number N of at least 2⁶⁴ / (e^ε + c - 1), and at most ⌊2⁶⁴ / c⌋: so the odds between the true
 * outcome and any other are at most e^ε. Computed in whole numbers until there is no doubt. An ε for which the
 * words cannot be as even as that is an error.
 */
export function rarestOutcome(epsilon, outcomes) {
  const each = WORDS / BigInt(outcomes);
  const wanted = atLeastOneOf(epsilon, BigInt(outcomes));
  const count = wanted < each ? wanted : each;
  const [above, below] = fraction(Math.min(epsilon, 64));
  // The words do not always divide evenly; e^ε is at least 1 + ε.
  if (count === each && (WORDS - BigInt(outcomes) * count) * below > count * above) {
    throw new RangeError(`epsilon = ${epsilon} is too small for ${outcomes} outcomes in 64 bits`);
  }
  return count;
}

function atLeastOneOf(epsilon, outcomes) {
  // 2⁶⁴ is below e^45.
  if (epsilon >= 64) return 1n;
  for (let bits = 128; ; bits *= 2) {
    const scale = BigInt(bits);
    const [most, least] = exponentialBounds(epsilon, bits).map((bound) =>
      ceilingOf(WORDS << scale, bound + ((outcomes - 1n) << scale)),
    );
    if (most === least) return most;
  }
}
