// Answers campaigns for a Python test: a campaign and its answers in each line of stdin, bytes in each line of stdout.
//
// The words of an answer are those that are written down, and then those that follow from a text. Without any of
// these they are secure ones, and the answer is given as often as it is asked for.

import { createInterface } from "node:readline";
import { Campaign, explain, randomized } from "../../clients/js/src/index.js";
import { wordsOf } from "../../clients/js/test/support.js";

function valueOf(plain) {
  if (Array.isArray(plain)) return plain.map(valueOf);
  return plain?.special ? Number(plain.special) : plain;
}

function sourceOf({ first, words }) {
  if (words === undefined) return {};
  const [left, after] = [first.map(BigInt), wordsOf(words)];
  const next = () => left.shift() ?? after.words(1)[0];
  return { random: { words: (count) => BigUint64Array.from({ length: count }, next) } };
}

async function answered(campaign, { person, held, levels, times = 1, ...words }) {
  const values = Object.fromEntries(Object.entries(held).map(([name, value]) => [name, valueOf(value)]));
  const found = [];
  for (let time = 0; time < times; time++) {
    const bytes = await randomized(campaign, person, values, { levels, ...sourceOf(words) });
    found.push(Buffer.from(bytes).toString("hex"));
  }
  // Every byte of it has something to say.
  const parts = await explain(campaign, Uint8Array.from(Buffer.from(found.at(-1), "hex")));
  const gapless = parts.every(
    ({ from, what }, place) => from === (place ? parts[place - 1].to : 0) && what.length > 0,
  );
  if (!gapless || parts.at(-1).to !== found.at(-1).length / 2) throw new Error("a byte is not explained");
  return found;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { terms, id, answers } = JSON.parse(line);
  let said;
  try {
    const campaign = await Campaign.fromTerms(terms, id);
    said = [];
    for (const answer of answers) said.push(await answered(campaign, answer));
  } catch (error) {
    said = { error: `${error.name}: ${error.message}` };
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
