import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Campaign, decode, encode, randomized } from "../src/index.js";
import { wordsOf } from "./support.js";

const FILE = new URL("../../../tests/wire/vectors.json", import.meta.url);
const missing = existsSync(FILE) ? false : "tests/wire/vectors.json is not beside the package";

test("the same words give the bytes that the Python library wrote down", { skip: missing }, async () => {
  for (const { terms, id, answers } of JSON.parse(readFileSync(FILE, "utf8"))) {
    const campaign = await Campaign.fromTerms(terms, id);
    for (const { person, features, label, friends, levels, words, bytes } of answers) {
      const held = { features, label, friends };
      const sent = await randomized(campaign, person, held, { levels, random: wordsOf(words) });
      assert.equal(Buffer.from(sent).toString("hex"), bytes, `${campaign.name}, ${words}`);
      assert.deepEqual(encode(campaign, decode(campaign, sent)), sent);
    }
  }
});
