import assert from "node:assert/strict";
import { test } from "node:test";
import { Campaign, CampaignError } from "../src/index.js";
import { campaign, idOf, infinite, response, terms } from "./support.js";

const bits = (epsilon, more) => ({ mechanism: "one-bit", epsilon, ...more });

test("terms that are not those of the id are refused", async () => {
  const text = terms({ labels: [response(1)] });
  assert.equal((await Campaign.fromTerms(text, idOf(text))).id, idOf(text));
  for (const changed of [
    `${text} `,
    text.replace('"epsilon":1', '"epsilon":9'),
    text.replace("cat", "cät"),
  ]) {
    await assert.rejects(
      Campaign.fromTerms(changed, idOf(text)),
      /the terms are those of [0-9a-f]{64}, not of/,
    );
  }
  for (const id of [undefined, "", idOf(text).toUpperCase(), idOf(text).slice(1), 7]) {
    await assert.rejects(Campaign.fromTerms(text, id), CampaignError);
  }
});

test("terms have one text: others that read alike are refused, even by their own hash", async () => {
  const text = terms({ labels: [response(1)], name: 'a "b": {c, 1e400} \\ \n\u0001 ü 😀' });
  assert.equal((await Campaign.fromTerms(text, idOf(text))).id, idOf(text));
  const { classes, ...others } = JSON.parse(text);
  for (const [what, other] of Object.entries({
    "an entry twice": text.replace('{"classes"', '{"classes":["x","y"],"classes"'),
    "the same entry twice": text.replace('"format":1', '"format":1,"format":1'),
    "an entry twice inside": text.replace('"epsilon":1', '"epsilon":9,"epsilon":1'),
    "an entry twice, escaped": text.replace('"format":1', '"format":1,"form\\u0061t":1'),
    lines: JSON.stringify(JSON.parse(text), null, 2),
    "a space": text.replace(":1", ": 1"),
    "a space before": ` ${text}`,
    "a line behind": `${text}\n`,
    "entries that are not sorted": JSON.stringify({ ...others, classes }),
    "inner entries that are not sorted": text.replace(
      '"epsilon":1,"mechanism":"randomized-response"',
      '"mechanism":"randomized-response","epsilon":1',
    ),
    "a letter that is escaped": text.replace("cat", "c\\u0061t"),
    "a slash that is escaped": text.replace("cat", "c\\/t"),
  })) {
    await assert.rejects(
      Campaign.fromTerms(other, idOf(other)),
      { name: "CampaignError", message: /canonical/ },
      what,
    );
  }
});

test("a number beyond numbers is none", async () => {
  for (const number of ["1e400", "-1e400", `1${"0".repeat(400)}`]) {
    const text = terms({ labels: [response(1)] }).replace('"epsilon":1', `"epsilon":${number}`);
    await assert.rejects(Campaign.fromTerms(text, idOf(text)), /a number in it is beyond numbers/);
  }
});

test("what is asked can be read", async () => {
  const asked = await campaign({
    classes: ["cat", "dog", "eel"],
    num_features: 2,
    feature_names: ["a", "b"],
    ranges: [
      [0, 1],
      [-5, 5],
    ],
    num_people: 9,
    features: [bits(1), bits(2)],
    labels: [response(0.5)],
    name: "spring",
  });
  assert.deepEqual(
    [asked.name, asked.numFeatures, asked.numPeople, asked.asked],
    ["spring", 2, 9, ["features", "label"]],
  );
  assert.deepEqual(
    [asked.featureNames, asked.ranges],
    [
      ["a", "b"],
      [
        [0, 1],
        [-5, 5],
      ],
    ],
  );
  assert.deepEqual(
    asked.levels("features").map(({ mechanism, epsilon }) => [mechanism, epsilon]),
    [
      ["one-bit", 1],
      ["one-bit", 2],
    ],
  );
  assert.deepEqual(asked.levels("lists"), []);
  assert.throws(() => asked.levels("labels"), /question must be one of/);
  assert.throws(() => (asked.name = "autumn"), TypeError);
});

test("ranges that are the mechanism's own are none", async () => {
  assert.equal(
    (
      await campaign({
        num_features: 2,
        features: [bits(1)],
        ranges: [
          [0, 1],
          [0, 1],
        ],
      })
    ).ranges,
    null,
  );
});

const FEATURES = { num_features: 2, features: [bits(1)] };
const WRONG = {
  "no object": "[]",
  "no JSON": "{",
  "JSON that JavaScript lacks": terms().replace('"num_features":0', '"num_features":NaN'),
  "an entry too many": { more: 1 },
  "an entry too few": terms().replace('"format":1,', ""),
  "another format": { format: 2 },
  "a name that is none": { name: 7 },
  "text that UTF-8 cannot hold": terms().replace('"name":"test"', '"name":"\\ud800"'),
  "one class": { classes: ["cat"] },
  "a class twice": { classes: ["cat", "cat"] },
  "classes by number": { classes: 3 },
  "a class that is no text": { classes: ["cat", 7] },
  "no people": { num_people: 0 },
  "people that are not whole": { num_people: 1.5 },
  "people beyond counting": { num_people: 2 ** 53 },
  "a yes that is none": { ranges_from_data: 1 },
  "features of nothing": { features: [bits(1)] },
  "features that are no list": { num_features: 1, features: bits(1) },
  "lists of nobody": { lists: [{ mechanism: "neighbor-lists", epsilon: 1 }] },
  "an unknown mechanism": { num_features: 1, features: [{ mechanism: "mine.noise:Mine", epsilon: 1 }] },
  "an inherited mechanism": { num_features: 1, features: [{ mechanism: "constructor", epsilon: 1 }] },
  "a label mechanism for features": { num_features: 1, features: [response(1)] },
  "no mechanism": { labels: [null] },
  "an unknown setting": { num_features: 1, features: [bits(1, { m: 1 })] },
  "no budget": { labels: [{ mechanism: "randomized-response" }] },
  "a budget of 0": { labels: [response(0)] },
  "a budget below 0": { labels: [response(-1)] },
  "a budget of true": { labels: [response(true)] },
  "a budget in words": { labels: [response("1")] },
  "an infinite budget in words": { labels: [response("inf")] },
  "another infinite number": { labels: [response({ number: "-inf" })] },
  "another number of classes": { labels: [{ ...response(1), num_classes: 3 }] },
  "a budget that words cannot keep": { labels: [response(1e-19)], classes: ["a", "b", "c"] },
  "levels that fall": { labels: [response(2), response(1)] },
  "levels that stay": { labels: [response(2), response(2)] },
  "an infinite level": { labels: [response(2), response(infinite)] },
  "two kinds of levels": { num_features: 2, features: [bits(1), { mechanism: "laplace", epsilon: 2 }] },
  "two ranges": { num_features: 2, features: [bits(1), bits(2, { high: 2 })] },
  "an empty range": { num_features: 2, features: [bits(1, { low: 1 })] },
  "an infinite range": { num_features: 2, features: [bits(1, { high: infinite })] },
  "a range beyond numbers": { num_features: 2, features: [bits(1, { low: -1e308, high: 1e308 })] },
  "no range": { num_features: 2, features: [bits(1, { low: null })] },
  "a clip that is none": { num_features: 2, features: [bits(1, { clip: "yes" })] },
  "more bits than features": { num_features: 2, features: [{ mechanism: "multi-bit", epsilon: 1, m: 3 }] },
  "no bits": { num_features: 2, features: [{ mechanism: "multi-bit", epsilon: 1, m: 0 }] },
  "a choice of bits that is none": {
    num_features: 2,
    features: [{ mechanism: "multi-bit", epsilon: 1, m: "best" }],
  },
  "a budget beyond numbers": { num_features: 2, features: [bits(1e-300)] },
  "noise beyond a word": { num_features: 2, features: [{ mechanism: "laplace", epsilon: 1e-30 }] },
  "noise beyond single precision": {
    num_features: 2,
    features: [{ mechanism: "laplace", epsilon: 1e-3, high: 1e36 }],
  },
  "values beyond single precision": {
    num_features: 2,
    features: [{ mechanism: "laplace", epsilon: infinite, high: 1e300 }],
  },
  "no delta": { num_features: 2, features: [{ mechanism: "gaussian", epsilon: 1 }] },
  "a delta of 1": { num_features: 2, features: [{ mechanism: "gaussian", epsilon: 1, delta: 1 }] },
  "a delta too small": { num_features: 2, features: [{ mechanism: "gaussian", epsilon: 1, delta: 1e-300 }] },
  "too few names": { ...FEATURES, feature_names: ["a"] },
  "a name twice": { ...FEATURES, feature_names: ["a", "a"] },
  "too few ranges": { ...FEATURES, ranges: [[0, 1]] },
  "a range of three": {
    ...FEATURES,
    ranges: [
      [0, 1],
      [0, 1, 2],
    ],
  },
  "a range that falls": {
    ...FEATURES,
    ranges: [
      [0, 1],
      [1, 0],
    ],
  },
  "a limit of 0": { lists: [{ mechanism: "neighbor-lists", epsilon: 1, limit: 0 }], num_people: 9 },
};

test("what this version does not know, or what makes no sense, is refused", async (context) => {
  for (const [what, changed] of Object.entries(WRONG)) {
    await context.test(what, async () => {
      const text = typeof changed === "string" ? changed : terms(changed);
      await assert.rejects(Campaign.fromTerms(text, idOf(text)), (error) => {
        assert.ok(error instanceof CampaignError);
        assert.match(error.message, /^this is no campaign: ./);
        return true;
      });
    });
  }
});

test("more features than a device can hold are refused before anything is made of them", async () => {
  const most = await campaign({ num_features: 10_000_000, features: [bits(1)] });
  assert.equal(most.numFeatures, 10_000_000);
  for (const changed of [
    { num_features: 10_000_001 },
    { num_features: 2 ** 53 - 1, features: [bits(1)] },
    { num_features: 2, features: [{ mechanism: "multi-bit", epsilon: infinite, m: 10_000_001 }] },
  ]) {
    await assert.rejects(campaign(changed), {
      name: "CampaignError",
      message: /(num_features|m) must be at most 10,000,000$/,
    });
  }
});

test("a promise adds up what is sent, and counts a friendship in both lists", async () => {
  const lists = [0.5, 2].map((epsilon) => ({ mechanism: "neighbor-lists", epsilon }));
  const gaussian = { mechanism: "gaussian", epsilon: 0.1, delta: 1e-6 };
  const asked = await campaign({
    num_features: 2,
    features: [gaussian],
    labels: [response(0.2)],
    lists,
    num_people: 5,
  });
  const promised = asked.promise({ features: 0, label: 0, lists: 0 });
  assert.deepEqual([promised.epsilon, promised.delta, promised.friendship], [2.5, 1e-6, 2.5]);
  assert.deepEqual(
    promised.parts.map(({ question, epsilon }) => [question, epsilon]),
    [
      ["features", 0.1],
      ["label", 0.2],
      ["lists", 0.5],
    ],
  );
  assert.deepEqual([asked.promise({ label: 0 }).epsilon, asked.promise({ lists: 1 }).epsilon], [2, 4]);
  assert.throws(() => asked.promise({ lists: 2 }), /the level of lists must lie in 0 … 1/);
  assert.throws(() => asked.promise({ friends: 0 }), /levels must be of features, label, lists/);
});

test("what is not protected costs ∞, and no δ", async () => {
  const asked = await campaign({
    num_features: 1,
    features: [{ mechanism: "gaussian", epsilon: infinite, delta: 0.1 }],
  });
  assert.deepEqual(
    [asked.promise({ features: 0 }).epsilon, asked.promise({ features: 0 }).delta],
    [Infinity, 0],
  );
  assert.equal(asked.promise({ features: 0 }).friendship, null);
});
