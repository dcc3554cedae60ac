// What the Laplace and Gaussian mechanisms share: whole-number noise on a grid, for every feature.

import { Ranged } from "./ranged.js";
import { roundHalfEven, singles } from "./rounding.js";

// Scales of the noise beyond which a report does not come from a device.
const REACH = 64n;
const LARGEST = Math.fround(3.4028234663852886e38);

/**
 * A value is rounded to the nearest point of a public grid, of which the range has `steps` steps, and gets noise
 * of a whole number of steps. A subclass sets `steps` and `scale` and draws with `noise(count, source)`.
 */
export class AdditiveNoise extends Ranged {
  /** Refuses a range whose noise single precision may not hold. */
  checkReach() {
    const [low, high] = this.reach;
    if (!(Math.max(-low, high) < LARGEST)) {
      throw new RangeError("the noise on the range may not fit single precision: other units are needed");
    }
  }

  get reach() {
    if (this.epsilon === Infinity) return [this.low, this.high];
    const beyond = (Number(REACH * this.scale) / this.steps) * (this.high - this.low);
    return [this.low - beyond, this.high + beyond];
  }

  drawn(values, columns, source) {
    const noise = this.noise(values.length, source);
    const span = this.high - this.low;
    const step = span / this.steps;
    const sent = values.map((value, place) => {
      const point = roundHalfEven(((value - this.low) / span) * this.steps);
      return this.low + step * Number(BigInt(point) + noise[place]);
    });
    return { values: singles(sent) };
  }
}
