// The multi-bit mechanism: a few features, one private bit each.

import * as check from "../checks.js";
import { scaleOfSign, share, toss } from "./bits.js";
import { Ranged } from "./ranged.js";

/**
 * LPGNN (Sajadmanesh & Gatica-Perez, CCS 2021, Algorithm 1): m of d features are answered with a sign each, which
 * costs ε/m, so that all cost ε, whoever knows which were asked. Which are is public (public_columns.js).
 */
export class MultiBit extends Ranged {
  constructor(given, dimensions) {
    super(given, ["m"], dimensions);
    const { m = "optimal" } = given;
    this.m = m === "optimal" || m === "paper" ? m : check.features(m, "m", 1);
    this.sampled = this.signs ? sampled(this.m, this.epsilon, dimensions) : dimensions;
    if (this.signs) checkScale(share(this.epsilon, this.sampled), this);
    Object.freeze(this);
  }

  get signs() {
    return this.epsilon !== Infinity;
  }

  get answered() {
    return this.sampled;
  }

  drawn(values, columns, source) {
    const asked = columns.map((column) => values[column]);
    return { signs: toss(asked, share(this.epsilon, this.sampled), this.low, this.high, source) };
  }
}

/** Refuses a budget or a range with which no estimate could be computed. */
export function checkScale(epsilon, { low, high }) {
  const scale = scaleOfSign(epsilon, low, high);
  if (!Number.isFinite(scale * scale)) throw new RangeError("the budget or the range are beyond numbers");
}

function sampled(m, epsilon, dimensions) {
  if (m === "optimal") return optimal(epsilon, dimensions);
  if (m === "paper") return Math.max(1, Math.floor(Math.min(dimensions, epsilon / 2.18)));
  if (m > dimensions) throw new RangeError(`m must be at most the number of features, ${dimensions}`);
  return m;
}

/** The m in 1 … d with the least worst-case variance, which is proportional to z·coth²(z/2) with z = ε/m. */
export function optimal(epsilon, dimensions) {
  if (epsilon < 3) return 1;
  const below = epsilon / 2.18 < dimensions ? Math.floor(epsilon / 2.18) : dimensions;
  const [few, many] = [below, below + 1].map((m) => Math.max(1, Math.min(dimensions, m)));
  const worst = (m) => epsilon / m / Math.tanh(epsilon / m / 2) ** 2;
  return worst(many) < worst(few) ? many : few;
}
