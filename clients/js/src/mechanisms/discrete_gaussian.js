// Gaussian noise on whole numbers, drawn exactly up to 64 scales: P(k) is proportional to exp(-k² / 2s²).
//
// Discrete Laplace noise of the same scale is drawn and kept with probability exp(-(|k| - s)² / 2s²) (Canonne,
// Kamath & Steinke, NeurIPS 2020, Algorithm 3). What lies beyond 65 s has a probability below exp(-2000) and is
// never drawn; any δ in double precision covers that.

import { byRejection, discreteLaplace, happensWithExpMinus, wholeUnits } from "./discrete_laplace.js";

/** The largest scale: the square of 64 such scales still fits a word. */
export const LARGEST_SCALE = 1n << 25n;

/** So many draws of one scale, as signed 64-bit numbers. */
export function discreteGaussian(count, scale, source) {
  return byRejection(count, (open) => offered(open, scale, source));
}

function offered(count, scale, source) {
  const values = discreteLaplace(count, scale, source);
  const distance = BigUint64Array.from(values, (value) => absolute(absolute(value) - scale));
  const within = Array.from(distance, (far) => far < 64n * scale);
  const below = new BigUint64Array(count).fill(2n * scale * scale);
  const squares = distance.map((far, place) => (within[place] ? far * far : 0n));
  const rest = squares.map((square, place) => square % below[place]);
  const happened = happensWithExpMinus(rest, below, source);
  const kept = within.map((near, place) => near && happened[place]);
  // Each whole unit of the exponent is a coin of probability 1/e.
  const whole = squares.map((square, place) => square / below[place]);
  const units = wholeUnits(
    whole.map((unit, place) => (kept[place] ? unit : 0n)),
    source,
  );
  return { values, kept: kept.map((keeps, place) => keeps && units[place] === whole[place]) };
}

function absolute(number) {
  return number < 0n ? -number : number;
}
