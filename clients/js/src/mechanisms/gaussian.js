// The analytic Gaussian mechanism on all features of a person, on a grid.

import * as check from "../checks.js";
import { AdditiveNoise } from "./additive.js";
import { discreteGaussian, LARGEST_SCALE } from "./discrete_gaussian.js";
import { noiseMultiplier } from "./noise_multiplier.js";

// The scale of the random rounding in the proof, in steps: behind it the grid cannot be seen.
const SMOOTH = 4;

/**
 * Two feature vectors differ by at most √d·(high - low) in L2 norm (Balle & Wang, ICML 2018). Discrete Gaussian
 * noise of scale s has the privacy of the Gaussian with √(s² - 16), in units of the grid.
 */
export class AnalyticGaussian extends AdditiveNoise {
  constructor(given, dimensions) {
    super(given, ["delta"], dimensions);
    const delta = check.failure(given.delta);
    if (this.epsilon !== Infinity) {
      this.delta = delta;
      this.calibrate(dimensions);
    }
    Object.freeze(this);
  }

  calibrate(dimensions) {
    const spare = 1 - 2 ** -40;
    const relative = noiseMultiplier(this.epsilon * spare, this.delta * spare) * Math.sqrt(dimensions);
    let steps = 1;
    while (steps < 2 ** 24 && 2 * steps <= 2 ** 20 / relative) steps *= 2;
    const own = relative * steps * (1 + 2 ** -40);
    const scale = Math.ceil(Math.sqrt(own * own + SMOOTH * SMOOTH)) + 1;
    if (scale > LARGEST_SCALE) throw new RangeError("epsilon is too small for Gaussian noise");
    this.steps = steps;
    this.scale = BigInt(scale);
    this.checkReach();
  }

  noise(count, source) {
    return discreteGaussian(count, this.scale, source);
  }
}
