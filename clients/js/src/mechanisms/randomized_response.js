// Randomised response over c classes.

import * as check from "../checks.js";
import { below, draw } from "./randomness.js";
import { rarestOutcome } from "./rarest_outcome.js";

/**
 * Generalised randomised response (Kairouz, Bonawitz & Ramage, ICML 2016): the label stays with probability
 * e^ε / (e^ε + c - 1), and each other class is answered with 1 / (e^ε + c - 1).
 */
export class RandomizedResponse {
  constructor(given, classes) {
    check.entries(given, given.mechanism, ["mechanism", "epsilon"], ["num_classes"]);
    this.mechanism = given.mechanism;
    this.epsilon = check.budget(given.epsilon);
    this.delta = 0;
    this.classes = classes;
    if (
      (given.num_classes ?? null) !== null &&
      check.count(given.num_classes, "num_classes", 2) !== classes
    ) {
      throw new RangeError(`the mechanism is over ${given.num_classes} classes, but there are ${classes}`);
    }
    // A budget that is too small is refused here, and not in the middle of an answer.
    this.others = this.epsilon === Infinity ? 0n : rarestOutcome(this.epsilon, classes);
    Object.freeze(this);
  }

  /** The class that is sent. An unknown one (-1) is first replaced by one drawn at random. */
  randomize(label, source) {
    const truth = label < 0 ? below(this.classes, source) : label;
    if (this.epsilon === Infinity) return truth;
    // Words below (c - 1)·others name a step to another label; all the rest keep the label.
    const step = draw(source, 1)[0] / this.others + 1n;
    return (truth + Number(step < BigInt(this.classes) ? step : BigInt(this.classes))) % this.classes;
  }
}
