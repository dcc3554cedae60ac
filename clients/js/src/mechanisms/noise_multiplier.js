// How much Gaussian noise a budget asks for: the analytic calibration of Balle & Wang (ICML 2018, Theorem 8).

import { erfc } from "./erfc.js";

// Probabilities below this have too few digits in double precision to rely on.
const LEAST = 1e-300;

/**
 * An upper bound of the δ of Gaussian noise with σ = multiplier · sensitivity; tight where ε < 700.
 *
 * δ = Φ(1/2s - εs) - e^ε·Φ(-1/2s - εs) with s the multiplier. The difference cancels, so both terms are taken on
 * their safe side: the arguments of Φ are moved by more than six roundings, the terms by more than eight units
 * in the last place of erfc and exp. A second term too small for that is left out, and as much is added.
 */
export function gaussianDelta(epsilon, multiplier) {
  const size = 0.5 / multiplier + epsilon * multiplier;
  const gap = 0.5 / multiplier - epsilon * multiplier;
  const moved = 2 ** -50 * size;
  const [first, tail] = [normalCdf(gap + moved), normalCdf(-size - moved)];
  const second = epsilon < 700 && tail > LEAST ? Math.exp(epsilon) * tail : 0;
  return Math.max(0, first * (1 + 2 ** -47) - second * (1 - 2 ** -47)) + LEAST;
}

/** The least σ / sensitivity with which Gaussian noise is (ε, δ)-DP; an error if none is found. */
export function noiseMultiplier(epsilon, delta) {
  if (delta < 1e10 * LEAST) throw new RangeError("delta must be at least 1e-290 for Gaussian noise");
  let enough = 1;
  while (gaussianDelta(epsilon, enough) > delta) {
    enough *= 2;
    if (enough > 1e9)
      throw new RangeError("no Gaussian noise gives this epsilon and delta in double precision");
  }
  let tooLittle = enough;
  while (gaussianDelta(epsilon, tooLittle) <= delta) tooLittle /= 2;
  while (enough / tooLittle > 1 + 1e-12) {
    const middle = (enough + tooLittle) / 2;
    if (gaussianDelta(epsilon, middle) <= delta) enough = middle;
    else tooLittle = middle;
  }
  return enough;
}

function normalCdf(x) {
  return 0.5 * erfc(-x / Math.sqrt(2));
}
