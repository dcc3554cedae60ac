// Which features are asked of a person: a public rule, so that a report need not say it (docs/wire.md).

import { WORDS } from "../mechanisms/randomness.js";
import { fromHexadecimal, sha256 } from "./sha256.js";

const NAME = "hushgraph/columns/1";
const BLOCKS_AT_ONCE = 64;

/** m of d features, every subset equally likely, in the order in which they are sampled (Floyd's algorithm). */
export async function publicColumns(campaignId, person, dimensions, m) {
  if (m === dimensions) return Array.from({ length: dimensions }, (_, column) => column);
  const next = hashedWords(campaignId, person);
  const sampled = new Set();
  for (let last = dimensions - m; last < dimensions; last++) {
    const drawn = await belowNext(BigInt(last + 1), next);
    sampled.add(sampled.has(drawn) ? last : drawn);
  }
  return [...sampled];
}

async function belowNext(bound, next) {
  const end = WORDS - (WORDS % bound);
  let word;
  do {
    const { value } = await next.next();
    word = value;
  } while (word >= end);
  return Number(word % bound);
}

async function* hashedWords(campaignId, person) {
  const seed = new Uint8Array(NAME.length + 32 + 8 + 4);
  seed.set(new TextEncoder().encode(NAME));
  seed.set(fromHexadecimal(campaignId), NAME.length);
  new DataView(seed.buffer).setBigUint64(NAME.length + 32, BigInt(person), true);
  // One block is often enough; where it is not, one does not wait for one hash after the other.
  for (let start = 0, count = 1; ; start += count, count = BLOCKS_AT_ONCE) {
    const blocks = Array.from({ length: count }, (_, number) => blockOf(seed, start + number));
    for (const block of await Promise.all(blocks)) {
      for (let place = 0; place < 32; place += 8) yield block.getBigUint64(place, true);
    }
  }
}

async function blockOf(seed, number) {
  const numbered = seed.slice();
  new DataView(numbered.buffer).setUint32(numbered.length - 4, number, true);
  return new DataView((await sha256(numbered)).buffer);
}
