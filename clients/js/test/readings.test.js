import assert from "node:assert/strict";
import { test } from "node:test";
import { ArgumentError, decode, OutOfRangeError, randomized } from "../src/index.js";
import { campaign, infinite, response, scripted } from "./support.js";

const asTheyAre = { mechanism: "laplace", epsilon: infinite, low: -0.5, high: 0.25 };
const ALL = {
  num_features: 3,
  features: [asTheyAre],
  labels: [response(infinite)],
  num_people: 6,
  lists: [{ mechanism: "neighbor-lists", epsilon: infinite }],
};

async function answers(changed, held, options) {
  const asked = await campaign({ ...ALL, ...changed });
  return decode(asked, await randomized(asked, 2, held, { random: scripted(1n), ...options })).answers;
}

test("a feature outside its range counts as the nearest end, and no number as the middle", async () => {
  for (const ranges of [
    null,
    [
      [-10, 30],
      [0, 1],
      [0, 1e308],
    ],
  ]) {
    for (const [features, sent] of [
      [
        [-Infinity, -1e300, "-inf"],
        [-0.5, -0.5, -0.5],
      ],
      [
        [Infinity, 1e300, 10n ** 400n],
        [0.25, 0.25, 0.25],
      ],
      [
        [NaN, null, undefined],
        [-0.125, -0.125, -0.125],
      ],
      [
        ["x", {}, Symbol("x")],
        [-0.125, -0.125, -0.125],
      ],
      [Float32Array.of(-1e30, 1e30, NaN), [-0.5, 0.25, -0.125]],
    ]) {
      assert.deepEqual([...(await answers({ ranges }, { features })).features.values], sent);
    }
  }
  assert.deepEqual(
    [...(await answers({}, { features: [, 0, "0.125"] })).features.values],
    [-0.125, 0, 0.125],
  );
});

test("ends are rounded like the values, so that what lies inside a range still does", async () => {
  const ranges = Array(3).fill([0.1, 0.3]);
  const held = { features: Float32Array.of(0.1, 0.3, 0.2) };
  const { values } = (await answers({ ranges }, held, { outOfRange: "refuse" })).features;
  assert.deepEqual([values[0], values[1]], [-0.5, 0.25]);
});

test("a class is known by its number or name, and what is none is drawn at random", async () => {
  for (const label of ["dog", 1, 1n, true])
    assert.equal((await answers({}, { label }, { random: scripted() })).label.label, 1);
  for (const label of [-1, 2, 0.5, NaN, "fish", "", Symbol("x"), 10n ** 400n]) {
    assert.equal((await answers({}, { label })).label.label, 1);
  }
});

test("friends who do not exist do not count, one counts once, and a mask of everybody will do", async () => {
  for (const [friends, names] of [
    [[], []],
    [
      [5, 0, 0, 2, -1, 6, 0.5, null, "4", NaN],
      [0, 4, 5],
    ],
    [Int32Array.of(1, 9), [1]],
    [
      [true, false, true, null, true, false],
      [0, 4],
    ],
    [
      [true, true, false],
      [0, 1],
    ],
  ]) {
    assert.deepEqual((await answers({}, { friends })).lists.names, names);
  }
});

test("who would rather refuse gets an error that names the place and not the value", async () => {
  for (const [held, where] of [
    [{ features: [0, 0.26, 0] }, /features\[1\] must lie in \[-0.5, 0.25\]/],
    [{ features: [0, 0, null] }, /features\[2\]/],
    [{ label: "fish" }, /label must be one of the classes/],
    [{ friends: [1, 2] }, /friends must be others among 0 … 5, each once/],
    [{ friends: [1, 1] }, /friends must be others/],
  ]) {
    const refused = answers({}, held, { outOfRange: "refuse", random: scripted() });
    await assert.rejects(
      refused,
      (error) =>
        error instanceof OutOfRangeError && where.test(error.message) && !/fish|0\.26/.test(error.message),
    );
  }
  assert.deepEqual(
    (await answers({}, { label: "cat", friends: [5] }, { outOfRange: "refuse" })).lists.names,
    [5],
  );
});

test("what everybody knows of an argument may be wrong, and is an error", async () => {
  for (const [held, options, why] of [
    [{}, {}, /nothing to send/],
    [{ features: null, label: undefined }, {}, /nothing to send/],
    [{ features: [1, 2] }, {}, /3 numbers, got 2/],
    [{ features: "abc" }, {}, /list of numbers/],
    [{ friends: 5 }, {}, /list of numbers/],
    [{ label: ["cat"] }, {}, /one class/],
    [{ labels: "cat" }, {}, /not labels/],
    [{ label: "cat" }, { levels: { label: 1 } }, /level of label must lie in 0 … 0/],
    [{ label: "cat" }, { levels: { labels: 0 } }, /levels must be of features, label, lists/],
  ]) {
    await assert.rejects(
      answers({}, held, options),
      (error) => error instanceof ArgumentError && why.test(error.message),
    );
  }
  const asked = await campaign({ labels: [response(1), response(2)], num_people: 3 });
  await assert.rejects(randomized(asked, 0, { label: 0 }), /which of 2 levels to take of label/);
  await assert.rejects(randomized(asked, 0, { features: [1] }), /does not ask for features/);
  for (const person of [3, -1, 0.5, "0", NaN, undefined]) {
    await assert.rejects(
      randomized(asked, person, { label: 0 }, { levels: { label: 0 } }),
      /person must be a whole number in 0 … 2/,
    );
  }
});

test("a list is refused for its noise alone, before anything is drawn", async () => {
  const lists = [{ mechanism: "neighbor-lists", epsilon: 0.1, limit: 10 }];
  const asked = await campaign({ lists, num_people: 100 });
  for (const friends of [[], [1, 2, 3]]) {
    await assert.rejects(
      randomized(asked, 0, { friends }, { random: scripted() }),
      /about 47 names, more than 10/,
    );
  }
});
