// The 1-bit mechanism: every feature answered with one bit (Ding, Kulkarni & Yekhanin, NeurIPS 2017).

import { share, toss } from "./bits.js";
import { checkScale } from "./multi_bit.js";
import { Ranged } from "./ranged.js";

/** A sign for each of d features at ε/d. */
export class OneBit extends Ranged {
  constructor(given, dimensions) {
    super(given, [], dimensions);
    if (this.signs) checkScale(share(this.epsilon, dimensions), this);
    Object.freeze(this);
  }

  get signs() {
    return this.epsilon !== Infinity;
  }

  drawn(values, columns, source) {
    return { signs: toss(values, share(this.epsilon, this.dimensions), this.low, this.high, source) };
  }
}
