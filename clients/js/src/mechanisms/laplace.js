// The Laplace mechanism on all features of a person, on a grid.

import { AdditiveNoise } from "./additive.js";
import { discreteLaplace, LARGEST_SCALE } from "./discrete_laplace.js";
import { bitLength, ceilingOf, fraction } from "./exact.js";

/**
 * Two feature vectors differ by at most d·N steps in sum, and discrete Laplace noise of the least whole scale
 * t ≥ dN/ε loses dN/t: at most ε exactly (Dwork et al., TCC 2006). N is a function of ε and d alone.
 */
export class Laplace extends AdditiveNoise {
  constructor(given, dimensions) {
    super(given, [], dimensions);
    if (this.epsilon !== Infinity) this.calibrate(dimensions);
    Object.freeze(this);
  }

  calibrate(dimensions) {
    const [above, below] = fraction(this.epsilon);
    const relative = BigInt(dimensions) * below;
    const bits = bitLength(((1n << 30n) * above) / relative);
    const steps = 2 ** Math.min(40, Math.max(0, bits - 1));
    this.steps = steps;
    this.scale = ceilingOf(relative * BigInt(steps), above);
    if (this.scale > LARGEST_SCALE) throw new RangeError("epsilon is too small for Laplace noise");
    this.checkReach();
  }

  noise(count, source) {
    return discreteLaplace(count, this.scale, source);
  }
}
