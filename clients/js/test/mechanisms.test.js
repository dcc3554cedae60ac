import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, randomized } from "../src/index.js";
import { discreteGaussian } from "../src/mechanisms/discrete_gaussian.js";
import { discreteLaplace } from "../src/mechanisms/discrete_laplace.js";
import { fraction } from "../src/mechanisms/exact.js";
import { exponentialBounds } from "../src/mechanisms/exponential.js";
import { optimal } from "../src/mechanisms/multi_bit.js";
import { belowEach, draw, secure } from "../src/mechanisms/randomness.js";
import { rarestOutcome } from "../src/mechanisms/rarest_outcome.js";
import { exactGap, gaps, power, successes } from "../src/mechanisms/skip_sampling.js";
import { campaign, explains, infinite, response, scripted, seeded, wordsOf } from "./support.js";

const WORDS = 1n << 64n;
const LAST = WORDS - 1n;

/** Exact chances as counts of equally likely events, by answer: the worst ratio is at most e^ε, and reaches it. */
function assertLoss(chances, epsilon) {
  let [above, below] = [0n, 1n];
  for (const answer of chances[0].keys()) {
    const counts = chances.map((chance) => chance.get(answer) ?? 0n);
    const [most, least] = [
      counts.reduce((a, b) => (a > b ? a : b)),
      counts.reduce((a, b) => (a < b ? a : b)),
    ];
    assert.ok(least > 0n, "an answer that some value never gives reveals that value");
    if (most * below > above * least) [above, below] = [most, least];
  }
  const [low] = exponentialBounds(epsilon, 256);
  assert.ok(above << 256n <= below * low);
  // The ratio in double precision, whatever the size of the counts.
  const ratio = Number((above << 60n) / below) / 2 ** 60;
  assert.ok(Math.abs(Math.log(ratio) - epsilon) < 1e-9, `${Math.log(ratio)} < ${epsilon}`);
}

test("a label costs ε: all words between two borders, all classes that may be drawn", async () => {
  for (const epsilon of [1e-3, 1, 8]) {
    const classes = ["cat", "dog", "eel"];
    const asked = await campaign({ classes, labels: [response(epsilon)] });
    const answer = async (label, words) => {
      const bytes = await randomized(asked, 0, { label }, { random: scripted(...words) });
      return decode(asked, bytes).answers.label.label;
    };
    const step = rarestOutcome(epsilon, 3);
    const borders = [0n, step, 2n * step, WORDS];
    const chances = [];
    for (const label of [...classes, -1, "fish", 0.5, NaN]) {
      const chance = new Map();
      // An unknown class is first one of three, each of which a third of the words stands for.
      for (const first of classes.includes(label) ? [[]] : [[0n], [1n], [2n]]) {
        for (let place = 0; place < 3; place++) {
          const [from, to] = [borders[place], borders[place + 1]];
          const given = await answer(label, [...first, from]);
          assert.equal(await answer(label, [...first, to - 1n]), given);
          chance.set(given, (chance.get(given) ?? 0n) + (to - from) * (first.length ? 1n : 3n));
        }
      }
      assert.equal(
        [...chance.values()].reduce((sum, count) => sum + count),
        3n * WORDS,
      );
      chances.push(chance);
    }
    assertLoss(chances, epsilon);
    for (const chance of chances.slice(3)) assert.equal(new Set(chance.values()).size, 1);
  }
});

/** How many words answer +1 to one feature among zeros, by bisection through the bytes that leave. */
async function wordsForPlusOf(asked, value, place) {
  let [low, high] = [0n, WORDS];
  const size = asked.numFeatures;
  while (low < high) {
    const middle = (low + high) / 2n;
    const words = Array(size).fill(LAST);
    words[place] = middle;
    const features = Array(size).fill(0);
    features[place] = value;
    const bytes = await randomized(asked, 0, { features }, { random: scripted(...words) });
    if (decode(asked, bytes).answers.features.signs[place] > 0) low = middle + 1n;
    else high = middle;
  }
  return low;
}

test("signs cost ε together: each pair of values, at each place, in all ranges", async () => {
  const kinds = [
    [2, { mechanism: "one-bit" }, null],
    [3, { mechanism: "multi-bit", m: 3 }, null],
    [
      2,
      { mechanism: "one-bit", low: -1, high: 4 },
      [
        [0, 1],
        [-5, 7],
      ],
    ],
  ];
  for (const epsilon of [0.3, 3, 20]) {
    for (const [size, kind, ranges] of kinds) {
      const asked = await campaign({ num_features: size, features: [{ ...kind, epsilon }], ranges });
      const values = [-1, 0, 0.3, 1, 4, 7, 1e308, -Infinity, Infinity, NaN, null, undefined, "x", 5e-324];
      let product = [[1n, 1n]];
      for (let place = 0; place < size; place++) {
        const plus = [];
        for (const value of values) plus.push(await wordsForPlusOf(asked, value, place));
        product = product.flatMap(([up, down]) => plus.map((count) => [up * count, down * (WORDS - count)]));
      }
      const chances = product.map(
        ([up, down]) =>
          new Map([
            ["all high", up],
            ["all low", down],
          ]),
      );
      assertLoss(chances, epsilon);
    }
  }
});

test("the least scale of Laplace noise that keeps ε", async () => {
  for (const [epsilon, d] of [
    [0.1, 1],
    [1, 3],
    [2.5, 40],
    [1e-4, 7],
    [1e4, 2],
    [3, 1000],
  ]) {
    const asked = await campaign({ num_features: d, features: [{ mechanism: "laplace", epsilon }] });
    const [{ steps, scale }] = asked.levels("features");
    const [above, below] = fraction(epsilon);
    assert.ok(BigInt(d) * BigInt(steps) * below <= scale * above);
    assert.ok(BigInt(d) * BigInt(steps) * below > (scale - 1n) * above);
    assert.ok(steps === 2 ** 40 || (2 * steps * d) / epsilon > 2 ** 30);
  }
});

test("noise on whole numbers has the distribution of the theorem (false alarm: 10⁻⁹)", () => {
  for (const [scale, drawn, law] of [
    [1n, discreteLaplace, (k) => Math.exp(-Math.abs(k))],
    [5n, discreteLaplace, (k) => Math.exp(-Math.abs(k) / 5)],
    [1n, discreteGaussian, (k) => Math.exp((-k * k) / 2)],
    [6n, discreteGaussian, (k) => Math.exp((-k * k) / 72)],
  ]) {
    const reach = 3 * Number(scale);
    const weights = Array.from({ length: 2001 }, (_, place) => law(place - 1000));
    const total = weights.reduce((sum, weight) => sum + weight);
    const cell = (k) => Math.max(-reach, Math.min(reach, k)) + reach;
    const [probabilities, counts] = [Array(2 * reach + 1).fill(0), Array(2 * reach + 1).fill(0)];
    weights.forEach((weight, place) => (probabilities[cell(place - 1000)] += weight / total));
    for (const k of drawn(60_000, scale, secure)) counts[cell(Number(k))]++;
    assert.ok(explains(counts, probabilities), `${drawn.name} of scale ${scale}: ${counts}`);
  }
});

test("large scales do not overflow", () => {
  for (const [drawn, scale, variance] of [
    [discreteLaplace, 1n << 50n, 2 * 2 ** 100],
    [discreteGaussian, 1n << 25n, 2 ** 50],
  ]) {
    const squares = Array.from(drawn(20_000, scale, secure), (k) => Number(k) ** 2);
    const mean = squares.reduce((sum, square) => sum + square) / squares.length;
    // Ten standard errors, also of the Laplace's heavier tail.
    assert.ok(Math.abs(mean / variance - 1) < (10 * Math.sqrt(5)) / Math.sqrt(20_000));
  }
});

test("double precision and whole numbers agree on every gap", () => {
  for (const threshold of [WORDS / 2n, WORDS / 3n, WORDS / 1000n + 7n, 12345n << 20n]) {
    const fail = WORDS - threshold;
    const near = [1n, 2n, 3n, 50n].map((j) => (fail ** j) >> (64n * (j - 1n)));
    const words = [
      0n,
      1n,
      LAST,
      ...near.flatMap((word) => [word - 1n, word, word + 1n]),
      ...wordsOf("gaps").words(200),
    ];
    const drawn = BigUint64Array.from(words.filter((word) => word >= 0n && word < WORDS));
    gaps(drawn, threshold, 2000, wordsOf("further")).forEach((gap, place) => {
      // A number with these first 64 bits lies below the probability of so many failures, not of one more.
      const further = BigInt(gap);
      if (gap > 0) assert.ok(drawn[place] << (64n * (further - 1n)) < fail ** further);
      if (gap < 2000) assert.ok((drawn[place] + 1n) << (64n * further) > fail ** (further + 1n));
    });
  }
});

test("a word that agrees to the last bit is decided by the next", () => {
  const threshold = WORDS / 3n;
  const square = (WORDS - threshold) ** 2n;
  const [word, rest] = [square >> 64n, square % WORDS];
  assert.equal(exactGap(word, threshold, scripted(rest - 1n)), 2);
  assert.equal(exactGap(word, threshold, scripted(rest + 1n)), 1);
});

test("bounds of a power hold it", () => {
  for (const numerator of [1n << 63n, WORDS / 3n, LAST]) {
    for (const exponent of [0n, 1n, 2n, 7n, 1000n]) {
      const [least, most] = power(numerator, exponent, 200n);
      const exact = ((numerator ** exponent) << 200n) >> (64n * exponent);
      assert.ok(least <= exact && exact <= most && most - least <= 1n);
    }
  }
});

test("every subset of trials is as likely as by coins (false alarm: 10⁻⁹)", () => {
  for (const p of [0.5, 0.3]) {
    const threshold = BigInt(p * 2 ** 64);
    const subsets = Array(16).fill(0);
    const found = successes(80_000, threshold, secure);
    const groups = new Map();
    for (const trial of found) groups.set(trial >> 2, (groups.get(trial >> 2) ?? 0) | (1 << (trial & 3)));
    for (let group = 0; group < 20_000; group++) subsets[groups.get(group) ?? 0]++;
    const ones = (subset) => subset.toString(2).replaceAll("0", "").length;
    assert.ok(
      explains(
        subsets,
        subsets.map((_, subset) => p ** ones(subset) * (1 - p) ** (4 - ones(subset))),
      ),
    );
  }
});

test("what hardly ever happens does not take long, and certain outcomes need no randomness", () => {
  assert.deepEqual(successes(1e15, 1n, wordsOf("rare")), []);
  assert.deepEqual(successes(5, 0n, scripted()), []);
  assert.deepEqual(successes(0, WORDS / 2n, scripted()), []);
});

test("numbers below a bound are without bias, and refused words are drawn again in order", () => {
  const bound = (1n << 63n) + 1n;
  const source = scripted(LAST, 5n, bound, 7n, LAST, 8n);
  // Of these bounds, words from the bound itself on are refused.
  assert.deepEqual([...belowEach(BigUint64Array.of(bound, bound, bound), source)], [7n, 5n, 8n]);
  assert.equal(source.left, 0);
});

test("the m with the least variance", () => {
  assert.deepEqual(
    [0.1, 3, 3.1, 10].map((epsilon) => optimal(epsilon, 100)),
    [1, 1, 2, 5],
  );
  assert.equal(optimal(1e308, 7), 7);
});

test("values that are not randomised are sent as they are, without a word", async () => {
  const asked = await campaign({
    num_features: 3,
    features: [{ mechanism: "multi-bit", epsilon: infinite, low: -1 }],
    labels: [response(infinite)],
    lists: [{ mechanism: "neighbor-lists", epsilon: infinite }],
    num_people: 10,
  });
  const held = { features: [0.25, -9, NaN], label: 1, friends: [9, 1, 1, 3, 77] };
  const bytes = await randomized(asked, 3, held, { random: scripted() });
  const { answers } = decode(asked, bytes);
  assert.deepEqual([...answers.features.values], [0.25, -1, 0]);
  assert.deepEqual([answers.label.label, answers.lists.names], [1, [1, 9]]);
});

test("answers are fast", async () => {
  const random = seeded(1);
  for (const [mechanism, d, limit] of [
    ["one-bit", 10_000, 100],
    ["laplace", 1000, 1000],
  ]) {
    const asked = await campaign({ num_features: d, features: [{ mechanism, epsilon: 1 }] });
    const features = Array.from({ length: d }, random);
    await randomized(asked, 0, { features });
    const start = performance.now();
    await randomized(asked, 0, { features });
    assert.ok(performance.now() - start < limit, `${mechanism}: ${performance.now() - start} ms`);
  }
});

test("more words than the browser gives at a time are drawn, and none of them twice", () => {
  const drawn = draw(secure, 20_000);
  assert.equal(new Set(drawn).size, 20_000);
});
