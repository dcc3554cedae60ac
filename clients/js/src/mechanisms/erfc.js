// The complementary error function, to a few units in the last place wherever it is a normal double.

const NEAR = 0.5;
// The trapezoidal rule with this step is right to exp(-(π/STEP)²) = 10⁻¹⁷.
const STEP = 0.5;
const SQUARES = Array.from({ length: 13 }, (_, number) => ((number + 1) * STEP) ** 2);
const WEIGHTS = SQUARES.map((square) => Math.exp(-square));

/** 1 - erf(x), without losing digits where that is small. */
export function erfc(x) {
  if (x < 0) return x > -NEAR ? 1 + nearZero(-x) : 2 - erfc(-x);
  if (x < NEAR) return 1 - nearZero(x);
  return x < 28 ? byTrapezoids(x) : 0;
}

/** erf(x) by its Taylor series, for 0 ≤ x < 1/2. */
function nearZero(x) {
  const square = x * x;
  let [term, total] = [x, 0];
  for (let number = 0; number < 16; number++) {
    total += term / (2 * number + 1);
    term *= -square / (number + 1);
  }
  return (total * 2) / Math.sqrt(Math.PI);
}

/**
 * The integral erfc(x) = (2x/π) e^(-x²) ∫₀^∞ e^(-t²) / (t² + x²) dt by the trapezoidal rule, and the residue of
 * its poles at ±ix, which lie inside the strip that counts where x < π / STEP.
 */
function byTrapezoids(x) {
  const square = x * x;
  let total = 0;
  for (let number = SQUARES.length - 1; number >= 0; number--)
    total += WEIGHTS[number] / (SQUARES[number] + square);
  const rule = ((STEP * x) / Math.PI) * (1 / square + 2 * total) * expMinusSquare(x, square);
  return x < Math.PI / STEP ? rule - 2 / Math.expm1((2 * Math.PI * x) / STEP) : rule;
}

/** e^(-x²), where the rounding of x² alone would cost hundreds of units in the last place. */
function expMinusSquare(x, square) {
  // x = high + low, both of few digits, so that all of these products are exact.
  const large = x * 134217729;
  const high = large - (large - x);
  const low = x - high;
  const rounding = high * high - square + 2 * high * low + low * low;
  return Math.exp(-square) * (1 - rounding);
}
