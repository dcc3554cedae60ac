// A device of its own process: answers one campaign and says what it kept.

import { Campaign, Reporter } from "../src/index.js";
import { openStore } from "../src/node.js";

const [folder, id, terms, person, label, cap] = process.argv.slice(2);
const campaign = await Campaign.fromTerms(terms, id);
const reporter = new Reporter({ store: await openStore(folder), epsilon: Number(cap) });
// Devices that are to race wait for the word.
if (process.send) {
  process.send("ready");
  await new Promise((resolve) => process.once("message", resolve));
}
try {
  const { bytes } = await reporter.answer(campaign, Number(person), { label });
  process.stdout.write(`${Buffer.from(bytes).toString("hex")}\n`);
} catch (error) {
  process.stdout.write(`${error.name}\n`);
}
// Whoever is to be killed is so here, between keeping and sending.
if (process.env.STAY) setInterval(() => {}, 1000);
else process.disconnect?.();
