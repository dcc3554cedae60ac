// What mechanisms for features share: a public range, and ε = ∞, which sends values as they are.

import * as check from "../checks.js";
import { clipped, singles } from "./rounding.js";

/** A mechanism for all features of a person; what it does with a finite budget, a subclass defines. */
export class Ranged {
  constructor(given, own, dimensions) {
    check.entries(given, given.mechanism, ["mechanism", "epsilon"], ["low", "high", "clip", ...own]);
    const { mechanism, epsilon, low = 0, high = 1, clip = false } = given;
    this.mechanism = mechanism;
    this.epsilon = check.budget(epsilon);
    this.delta = 0;
    [this.low, this.high] = check.range(low, high);
    this.clip = check.yesOrNo(clip, "clip");
    this.dimensions = dimensions;
    if (
      this.epsilon === Infinity &&
      ![this.low, this.high].every((end) => Number.isFinite(Math.fround(end)))
    ) {
      throw new RangeError("the range does not fit single precision: other units are needed");
    }
  }

  /** Whether reports are signs; other reports are numbers. */
  get signs() {
    return false;
  }

  /** How many features are answered. */
  get answered() {
    return this.dimensions;
  }

  /** Between which numbers a report lies. */
  get reach() {
    return [this.low, this.high];
  }

  /** What leaves the device: signs, or single-precision numbers. `columns` are the features that are asked. */
  randomize(values, columns, source) {
    const inside = values.map((value) => clipped(value, this.low, this.high));
    return this.epsilon === Infinity
      ? { values: singles(inside) }
      : this.drawn(inside, columns, source);
  }
}
