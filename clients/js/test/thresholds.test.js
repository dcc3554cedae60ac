import assert from "node:assert/strict";
import { test } from "node:test";
import { share, wordsForPlus } from "../src/mechanisms/bits.js";
import { erfc } from "../src/mechanisms/erfc.js";
import { exceeds, fraction, sum } from "../src/mechanisms/exact.js";
import { exponentialBounds } from "../src/mechanisms/exponential.js";
import { gaussianDelta, noiseMultiplier } from "../src/mechanisms/noise_multiplier.js";
import { rarestOutcome } from "../src/mechanisms/rarest_outcome.js";
import { roundHalfEven } from "../src/mechanisms/rounding.js";

const WORDS = 1n << 64n;

// By mpmath with 60 digits: ⌈2⁶⁴ / (e^ε + c - 1)⌉, or ⌊2⁶⁴ / c⌋ where that is smaller.
const KNOWN = [
  [1, 2, 4961093570831980854n],
  [0.1, 2, 8762587358261559759n],
  [1, 7, 2115869208711965940n],
  [2.5, 1000, 18242744691371633n],
  [10, 2, 837442865445676n],
  [44, 2, 2n],
  [44.4, 2, 1n],
  [64, 2, 1n],
  [1e308, 300, 1n],
  [1e-300, 2, 1n << 63n],
  [5e-324, 4, 1n << 62n],
];

test("the least whole number of words, to the last one", () => {
  for (const [epsilon, outcomes, words] of KNOWN)
    assert.equal(rarestOutcome(epsilon, outcomes), words, `${epsilon}`);
});

/** Whether ratio ≤ e^ε, without rounding. */
function isAtMost(above, below, epsilon) {
  const [low] = exponentialBounds(Math.min(epsilon, 63), 256);
  return (
    above << 256n <= below * low ||
    above * fraction(epsilon)[1] <= below * (fraction(epsilon)[1] + fraction(epsilon)[0])
  );
}

const BUDGETS = [
  5e-324, 1e-300, 1e-24, 1e-18, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1, 2, 10, 40, 44, 44.5, 100, 700, 1e6, 1e308,
];

test("odds never exceed e^ε, reach it, and every outcome stays possible", () => {
  for (const outcomes of [2, 3, 7, 64, 1000, 1e6, 2 ** 20, 1e7]) {
    for (const epsilon of BUDGETS) {
      let rarest;
      try {
        rarest = rarestOutcome(epsilon, outcomes);
      } catch (error) {
        assert.match(error.message, /too small for/);
        assert.ok(epsilon < outcomes ** 2 / 2 ** 64 && WORDS % BigInt(outcomes) !== 0n);
        continue;
      }
      const kept = WORDS - BigInt(outcomes - 1) * rarest;
      assert.ok(rarest >= 1n && rarest <= kept);
      assert.ok(isAtMost(kept, rarest, epsilon));
      const loss = Math.log(Number(kept) / Number(rarest));
      // Words are whole numbers: for many classes, one more or less is seen.
      if (epsilon >= 1e-3 && epsilon <= 10)
        assert.ok(Math.abs(loss - epsilon) < 1e-9 + outcomes ** 2 / 2 ** 64);
    }
  }
});

test("a budget that the words cannot keep is refused", () => {
  assert.throws(() => rarestOutcome(1e-9, 1e6), /epsilon = 1e-9 is too small for 1000000 outcomes/);
});

test("bounds of e^x hold it, and are close", () => {
  for (const x of [0, 5e-324, 1e-9, 0.3, 1, 2.5, 44, 63.9]) {
    const [low, high] = exponentialBounds(x, 128);
    const [closer, alsoCloser] = exponentialBounds(x, 512);
    assert.ok(low << 384n <= closer && alsoCloser <= high << 384n);
    assert.ok(high - low < 1000n);
    assert.ok(Math.abs(Number(low) / 2 ** 128 / Math.exp(x) - 1) < 1e-14);
  }
});

test("shares add up to the budget at most, and the next double would not", () => {
  for (const epsilon of [1, 0.1, 3.3, 1e-300, 5e-324, 1e300]) {
    for (const parts of [1, 2, 3, 7, 49, 10_000]) {
      const [above, below] = fraction(share(epsilon, parts));
      const [whole, under] = fraction(epsilon);
      assert.ok(above * BigInt(parts) * under <= whole * below);
    }
  }
});

test("a sign costs ε and no more, at every place in every range", () => {
  for (const epsilon of [1e-3, 0.1, 1, 3, 10, 50]) {
    for (const [low, high] of [
      [0, 1],
      [-2, 5],
      [-1e-3, 1e6],
      [7, 7.5],
    ]) {
      const plus = wordsForPlus(epsilon, low, high);
      const places = Array.from({ length: 21 }, (_, step) =>
        Math.min(high, low + ((high - low) * step) / 20),
      ).map(plus);
      assert.deepEqual(
        places.toSorted((one, other) => (one < other ? -1 : 1)),
        places,
      );
      assert.equal(places[0], rarestOutcome(epsilon, 2));
      assert.equal(places.at(-1), WORDS - rarestOutcome(epsilon, 2));
      const [least, most] = [places[0], places.at(-1)];
      assert.ok(isAtMost(most, least, epsilon) && isAtMost(WORDS - least, WORDS - most, epsilon));
    }
  }
});

// By mpmath with 30 digits.
const ERFC = [
  [-3, 1.9999779095030014],
  [-0.25, 1.2763263901682369],
  [0, 1],
  [1e-10, 0.99999999988716208],
  [0.3, 0.67137324054087258],
  [0.5, 0.47950012218695346],
  [0.75, 0.28884436634648487],
  [1, 0.15729920705028513],
  [2, 0.0046777349810472658],
  [3.5, 7.4309837234141275e-7],
  [5, 1.5374597944280349e-12],
  [6.2, 1.816675617238127e-18],
  [8, 1.1224297172982927e-29],
  [12, 1.3562611692059042e-64],
  [20, 5.3958656116079009e-176],
  [25, 8.3001725711965228e-274],
  [26, 5.6631924088561428e-296],
];

test("erfc is right to a few units in the last place wherever it is", () => {
  for (const [x, exact] of ERFC) assert.ok(Math.abs(erfc(x) / exact - 1) < 2 ** -49, `${x}: ${erfc(x)}`);
  assert.equal(erfc(40), 0);
  assert.equal(erfc(-40), 2);
});

test("the noise suffices, and a thousandth less does not", () => {
  for (const [epsilon, delta] of [
    [0.01, 1e-10],
    [1, 1e-5],
    [5, 1e-8],
    [100, 1e-9],
    [1e20, 0.5],
  ]) {
    const multiplier = noiseMultiplier(epsilon, delta);
    assert.ok(gaussianDelta(epsilon, multiplier) <= delta);
    assert.ok(gaussianDelta(epsilon, 0.999 * multiplier) > delta);
  }
  assert.ok(Math.abs(noiseMultiplier(1, 1e-5) - 3.7306) < 1e-4);
  assert.throws(() => noiseMultiplier(1e-12, 1e-30), /no Gaussian noise/);
  assert.throws(() => noiseMultiplier(50, 1e-300), /1e-290/);
});

test("sums are rounded once, and compared without rounding", () => {
  assert.equal(sum([0.1, 0.2, 0.3]), 0.6);
  assert.equal(sum([1, 2 ** -53, 2 ** -53]), 1 + 2 ** -52);
  assert.equal(sum([5e-324, 5e-324]), 1e-323);
  assert.equal(sum([1e308, 5e-324]), 1e308);
  assert.equal(sum([1, Infinity]), Infinity);
  assert.equal(sum([]), 0);
  assert.equal(exceeds([0.1, 0.2], 0.3, 0), true);
  assert.equal(exceeds([0.1, 0.2], 0.3, 1), false);
  assert.equal(exceeds([1, 5e-324], 1, 0), true);
  assert.equal(exceeds([Infinity], 1e308, 1), true);
  assert.equal(exceeds([Infinity], Infinity, 1), false);
});

test("halves are rounded to the even number", () => {
  assert.deepEqual([0.5, 1.5, 2.5, 2.4999, 3.5, 7].map(roundHalfEven), [0, 2, 2, 2, 4, 7]);
});
