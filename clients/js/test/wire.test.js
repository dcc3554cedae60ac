import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode, explain, publicColumns, randomized, WireError } from "../src/index.js";
import { readVarint, writeVarint } from "../src/collection/varint.js";
import { campaign, explains, infinite, response, seeded, wordsOf } from "./support.js";

const lists = [1, 4].map((epsilon) => ({ mechanism: "neighbor-lists", epsilon }));
const EVERYTHING = { num_features: 20, labels: [response(1), response(2)], lists, num_people: 300 };
const FEATURES = [
  [{ mechanism: "multi-bit", epsilon: 30 }],
  [
    { mechanism: "one-bit", epsilon: 1 },
    { mechanism: "one-bit", epsilon: 2 },
  ],
  [{ mechanism: "laplace", epsilon: 1, low: -1 }],
  [{ mechanism: "gaussian", epsilon: 1, delta: 1e-6 }],
  [{ mechanism: "one-bit", epsilon: infinite }],
];

/** Campaigns of every kind, and a report to each. */
async function reports() {
  const random = seeded(4);
  const found = [];
  for (const features of FEATURES) {
    const asked = await campaign({ ...EVERYTHING, features });
    const held = { features: Array.from({ length: 20 }, random), label: "dog", friends: [4, 5, 299] };
    const levels = { features: 0, label: 1, lists: 1 };
    found.push([asked, await randomized(asked, 131, held, { levels, random: wordsOf("reports") })]);
    found.push([asked, await randomized(asked, 0, { label: "cat" }, { levels })]);
  }
  return found;
}

test("a report is read as it was written, byte by byte", async () => {
  for (const [asked, bytes] of await reports()) {
    const report = decode(asked, bytes);
    assert.deepEqual(encode(asked, report), bytes);
    assert.equal(report.simulated, report.person === 131);
  }
});

test("a label and one of 10,000 features take ten bytes", async () => {
  const asked = await campaign({
    num_features: 10_000,
    features: [{ mechanism: "multi-bit", epsilon: 1 }],
    labels: [response(1)],
    num_people: 1e6,
  });
  const bytes = await randomized(asked, 999_999, { features: Array(10_000).fill(0), label: "cat" });
  assert.equal(bytes.length, 10);
});

test("a number has one form", () => {
  for (const number of [0, 1, 127, 128, 300, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    const bytes = [];
    writeVarint(number, bytes);
    assert.deepEqual(readVarint(Uint8Array.from(bytes), 0), [number, bytes.length]);
  }
  for (const [bytes, why] of [
    [[], /ends within/],
    [[0x80], /ends within/],
    [[0x80, 0], /longer than it needs/],
    [[0xff, 0x80, 0], /longer than it needs/],
    [Array(9).fill(0xff), /nine bytes/],
    [[...Array(8).fill(0xff), 0x7f], /beyond what JavaScript counts/],
  ]) {
    assert.throws(() => readVarint(Uint8Array.from(bytes), 0), { name: "WireError", message: why });
  }
});

test("what no device could have sent is refused, with a reason that repeats nothing of it", async () => {
  const asked = await campaign({
    num_features: 9,
    features: [{ mechanism: "one-bit", epsilon: 1 }],
    labels: [response(1)],
    num_people: 300,
  });
  const lone = await campaign({ lists: [lists[0]], num_people: 300 });
  const drawn = await campaign({ num_features: 1, features: [{ mechanism: "laplace", epsilon: 1 }] });
  const head = (one, bits) => [0x10 | bits, ...Buffer.from(one.id.slice(0, 8), "hex")];
  const number = (value) => [...Buffer.from(Float32Array.of(value).buffer)];
  for (const [one, bytes, why] of [
    [asked, [], /too early/],
    [asked, head(asked, 2), /within a number/],
    [asked, [0x22, ...head(asked, 2).slice(1), 7, 1], /version/],
    [asked, head(lone, 2), /another campaign/],
    [asked, [...head(asked, 0), 7], /answers nothing/],
    [asked, [...head(asked, 4), 7, 0], /does not ask for/],
    [asked, [...head(asked, 2), 0xac, 2, 1], /people are numbered 0 to 299/],
    [asked, [...head(asked, 2), 7, 2], /label must lie in 0 … 1/],
    [asked, [...head(asked, 2), 7, 1, 0], /follows its end/],
    [asked, [...head(asked, 1), 7, 255], /too early/],
    [asked, [...head(asked, 1), 7, 255, 2], /stand for nothing/],
    [lone, [...head(lone, 4), 7, 2, 3], /within a number/],
    [lone, [...head(lone, 4), 7, 1, 7], /own person/],
    [lone, [...head(lone, 4), 7, 1, 0xac, 2], /names must lie in 0 … 299/],
    [lone, [...head(lone, 4), 7, 0xac, 2], /more names than there are others/],
    [drawn, [...head(drawn, 1), 7, ...number(NaN)], /finite/],
    [drawn, [...head(drawn, 1), 7, ...number(Infinity)], /finite/],
    [drawn, [...head(drawn, 1), 7, ...number(66)], /finite and lie in/],
    [drawn, [...head(drawn, 1), 7, 0, 0, 0, 0x80], /^values must not be -0$/],
  ]) {
    assert.throws(() => decode(one, Uint8Array.from(bytes)), { name: "WireError", message: why });
  }
  assert.throws(() => decode(asked, "bytes"), WireError);
});

test("0 has one form, whatever it was rounded from", async () => {
  for (const mechanism of ["laplace", "one-bit"]) {
    const asked = await campaign({ num_features: 3, features: [{ mechanism, epsilon: infinite, low: -1 }] });
    const bytes = await randomized(asked, 0, { features: [-0, -1e-60, 0] });
    assert.deepEqual([...bytes.slice(-12)], Array(12).fill(0));
    const report = { person: 0, simulated: false, answers: { features: { level: 0, values: [1, -0, 0] } } };
    assert.throws(() => encode(asked, report), { name: "WireError", message: "values must not be -0" });
  }
});

test("100,000 random and mutated inputs are read, or refused as what they are", async () => {
  const random = seeded(20);
  const below = (bound) => Math.floor(random() * bound);
  const given = await reports();
  let [read, refused] = [0, 0];
  for (let input = 0; input < 120_000; input++) {
    const [asked, report] = given[below(given.length)];
    let bytes = [...report];
    if (input % 10 === 0)
      bytes = bytes.slice(0, 5).concat(Array.from({ length: below(60) }, () => below(256)));
    for (let change = below(4); change >= 0; change--) {
      const place = below(bytes.length + 1);
      const kind = below(4);
      if (kind === 0) bytes[Math.min(place, bytes.length - 1)] ^= 1 << below(8);
      else if (kind === 1) bytes.splice(place, below(4));
      else if (kind === 2) bytes.splice(place, 0, ...Array.from({ length: below(4) }, () => below(256)));
      else bytes.splice(place, 0, ...Array(below(12)).fill(below(2) ? 0xff : 0x80));
      if (bytes.length === 0) bytes = [0x12];
    }
    const changed = Uint8Array.from(bytes);
    try {
      const report = decode(asked, changed);
      read++;
      assert.deepEqual(encode(asked, report), changed, "two forms of one report");
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      refused++;
    }
  }
  assert.ok(read > 1000 && refused > 50_000, `${read} read, ${refused} refused`);
});

test("every byte is explained, in order and without gaps", async () => {
  for (const [asked, bytes] of await reports()) {
    const parts = await explain(asked, bytes);
    assert.equal(parts[0].from, 0);
    parts.slice(1).forEach((part, place) => assert.equal(part.from, parts[place].to));
    assert.equal(parts.at(-1).to, bytes.length);
    assert.match(parts[0].what, /^a report of version 1 that answers: .*label/);
    assert.ok(parts.some(({ what }) => /the class that is sent: \u2068(cat|dog)\u2069$/.test(what)));
  }
});

test("features are called by their names, and values are shown in their own ranges", async () => {
  const asked = await campaign({
    num_features: 2,
    feature_names: ["height", "age"],
    ranges: [
      [100, 220],
      [0, 120],
    ],
    features: [{ mechanism: "laplace", epsilon: infinite }],
  });
  const parts = await explain(asked, await randomized(asked, 0, { features: [160, 30] }));
  assert.deepEqual(
    parts.slice(-2).map(({ what }) => what),
    ["\u2068height\u2069: 160", "\u2068age\u2069: 30"],
  );
});

test("a name changes nothing of the text around it", async () => {
  const asked = await campaign({
    name: "\u202ehgih",
    num_features: 1,
    feature_names: ["\u2069\u202ehgih\u2067\n"],
    classes: ["\u2067cat", "\u202edog\u2029"],
    features: [{ mechanism: "laplace", epsilon: infinite }],
    labels: [response(infinite)],
  });
  const parts = await explain(asked, await randomized(asked, 0, { features: [1], label: 1 }));
  const told = parts.map(({ what }) => what);
  assert.ok(told.includes("the beginning of the id of the campaign “\u2068\u202ehgih\u2069”"));
  // No end of an isolate of the name's own, and none that is left open.
  assert.ok(told.includes("\u2068\u202ehgih\u2067 \u2069\u2069: 1"));
  assert.ok(told.includes("the class that is sent: \u2068\u202edog \u2069"));
});

// The Python library's doctest.
test("the features that are asked follow the public rule", async () => {
  const asked = await Promise.all([0, 1, 2].map((person) => publicColumns("00".repeat(32), person, 10, 2)));
  assert.deepEqual(asked, [
    [2, 3],
    [2, 6],
    [3, 1],
  ]);
  assert.deepEqual(await publicColumns("00".repeat(32), 5, 4, 4), [0, 1, 2, 3]);
  const many = await publicColumns("ab".repeat(32), 5, 2000, 1500);
  assert.equal(new Set(many).size, 1500);
});

test("each set of features is asked of as many people (false alarm: 10⁻⁹)", async () => {
  const counts = new Map();
  for (let person = 0; person < 8000; person++) {
    const set = (await publicColumns("0123456789abcdef".repeat(4), person, 6, 3)).toSorted().join();
    counts.set(set, (counts.get(set) ?? 0) + 1);
  }
  assert.equal(counts.size, 20);
  assert.ok(explains([...counts.values()], Array(20).fill(1 / 20)));
});
