import assert from "node:assert/strict";
import { fork, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { test } from "node:test";
import { Campaign, decode, randomized, Reporter } from "../src/index.js";
import { openStore } from "../src/node.js";
import { campaign, folder, idOf, infinite, response, terms, wordsOf } from "./support.js";

const asking = (name, epsilon = 1) =>
  campaign({
    name,
    labels: [response(epsilon)],
    classes: Array.from({ length: 200 }, (_, number) => `${number}`),
  });

async function device(path, options = {}) {
  return new Reporter({ store: await openStore(path), epsilon: 4, ...options });
}

test("a second answer is the first answer, whatever is held by then", async (context) => {
  const path = folder(context);
  const [asked, reporter] = [await asking("spring"), await device(path)];
  const first = await reporter.answer(asked, 7, { label: 3 });
  assert.deepEqual(
    [first.state, first.epsilon, first.person, first.campaignName],
    ["answered", 1, 7, "spring"],
  );
  for (const again of [reporter, await device(path), await device(path, { epsilon: 1e-9 })]) {
    for (const label of [3, 4, "none", undefined])
      assert.deepEqual(await again.answer(asked, 7, { label }), first);
  }
  assert.deepEqual(await reporter.spent(), { epsilon: 1, delta: 0 });
  first.bytes.fill(0);
  assert.notDeepEqual((await reporter.records())[0].bytes, first.bytes);
});

test("a device answers a campaign as one person", async (context) => {
  const [asked, reporter] = [await asking("spring"), await device(folder(context))];
  await reporter.answer(asked, 7, { label: 3 });
  await assert.rejects(reporter.answer(asked, 8, { label: 3 }), /as person 7/);
});

test("what answers cost adds up over campaigns and restarts, and the cap is kept", async (context) => {
  const path = folder(context);
  for (const name of ["a", "b", "c"])
    await (await device(path, { epsilon: 0.3 })).answer(await asking(name, 0.1), 0, { label: 0 });
  const reporter = await device(path, { epsilon: 0.3 });
  // In doubles, 0.1 + 0.1 + 0.1 is above 0.3; another one, however small, is above the tolerance or counts.
  await assert.rejects(reporter.answer(await asking("d", 1e-6), 0, { label: 0 }), {
    name: "BudgetExceededError",
    message: "d: insufficient privacy budget: epsilon 0.300001 > 0.3",
  });
  assert.equal((await reporter.records()).length, 3);
  assert.equal((await device(path)).cap.epsilon, 4);
  await (await device(path)).answer(await asking("d", 1e-6), 0, { label: 0 });
});

test("δ has a cap of its own", async (context) => {
  const features = [{ mechanism: "gaussian", epsilon: 1, delta: 1e-6 }];
  const asked = await campaign({ num_features: 1, features });
  const path = folder(context);
  await assert.rejects((await device(path)).answer(asked, 0, { features: [1] }), /delta 0.000001 > 0/);
  const reporter = await device(path, { delta: 1e-6 });
  await reporter.answer(asked, 0, { features: [1] });
  assert.deepEqual(await reporter.spent(), { epsilon: 1, delta: 1e-6 });
});

test("what is not protected needs an infinite cap", async (context) => {
  const asked = await campaign({ labels: [response(infinite)] });
  const path = folder(context);
  await assert.rejects(
    (await device(path, { epsilon: 1e308 })).answer(asked, 0, { label: 0 }),
    /epsilon Infinity > 1e\+308/,
  );
  const reporter = await device(path, { epsilon: Infinity });
  await reporter.answer(asked, 0, { label: 0 });
  assert.deepEqual(await (await device(path, { epsilon: Infinity })).spent(), {
    epsilon: Infinity,
    delta: 0,
  });
});

test("a value that the person refuses to have clipped leaves nothing behind", async (context) => {
  const asked = await asking("spring");
  const reporter = await device(folder(context), {
    outOfRange: "refuse",
    random: { words: () => assert.fail("a word was drawn") },
  });
  await assert.rejects(reporter.answer(asked, 0, { label: "no such class" }), { name: "OutOfRangeError" });
  assert.deepEqual(await reporter.records(), []);
});

test("what was forgotten is gone from the disk, stays paid for, and is never answered again", async (context) => {
  const path = folder(context);
  const [asked, reporter] = [await asking("spring"), await device(path)];
  const { bytes } = await reporter.answer(asked, 0, { label: 0 });
  const written = Buffer.from(bytes).toString("base64");
  const holds = () =>
    readdirSync(path).some((name) => readFileSync(join(path, name), "utf8").includes(written));
  assert.ok(holds());
  const forgotten = await reporter.forget(asked.id);
  assert.deepEqual([forgotten.state, forgotten.bytes, holds()], ["forgotten", null, false]);
  assert.deepEqual(await reporter.forget(asked.id), forgotten);
  await assert.rejects(reporter.answer(asked, 0, { label: 0 }), { name: "NotAnsweredError" });
  await assert.rejects(reporter.send(asked.id, "http://localhost:1", "token"), { name: "NotAnsweredError" });
  assert.deepEqual(await reporter.spent(), { epsilon: 1, delta: 0 });
});

test("bytes that a crash kept from being deleted are deleted by whoever reads next", async (context) => {
  const path = folder(context);
  const [asked, reporter] = [await asking("spring"), await device(path)];
  const { bytes } = await reporter.answer(asked, 0, { label: 0 });
  const store = await openStore(path);
  await store.append(() => ({ kind: "forgotten", campaignId: asked.id, campaignName: "spring", at: "" }));
  // The crash came between linking an entry and deleting the name that it was written under.
  writeFileSync(join(path, ".0123456789abcdef.new"), readFileSync(join(path, "000000001.json")));
  assert.equal((await reporter.records())[0].bytes, null);
  assert.deepEqual(readdirSync(path).sort(), ["000000001.json", "000000002.json"]);
  assert.ok(
    !readFileSync(join(path, "000000001.json"), "utf8").includes(Buffer.from(bytes).toString("base64")),
  );
});

test("who opted out never answers, and who answered cannot opt out", async (context) => {
  const path = folder(context);
  const [asked, other, reporter] = [await asking("spring"), await asking("summer"), await device(path)];
  assert.equal((await reporter.optOut(asked)).state, "opted-out");
  assert.equal((await reporter.optOut(asked)).state, "opted-out");
  await assert.rejects((await device(path)).answer(asked, 0, { label: 0 }), {
    name: "NotAnsweredError",
    message: /opted out/,
  });
  await reporter.answer(other, 0, { label: 0 });
  await assert.rejects(reporter.optOut(other), /withdrawn or forgotten/);
  assert.deepEqual(
    (await reporter.records()).map(({ state }) => state),
    ["opted-out", "answered"],
  );
});

test("a source of one's own makes a report say that it is simulated, and the system's does not", async (context) => {
  const asked = await asking("spring");
  for (const [random, simulated] of [
    [wordsOf("words"), true],
    [undefined, false],
  ]) {
    const reporter = await device(folder(context), { random });
    assert.equal(decode(asked, (await reporter.answer(asked, 0, { label: 0 })).bytes).simulated, simulated);
  }
});

test("arguments of a reporter are checked", async (context) => {
  const store = await openStore(folder(context));
  for (const wrong of [
    { store: null },
    { epsilon: 0 },
    { epsilon: NaN },
    { epsilon: "1" },
    { delta: 1 },
    { delta: -1 },
    { outOfRange: "round" },
  ]) {
    assert.throws(() => new Reporter({ store, epsilon: 1, ...wrong }), { name: "ArgumentError" });
  }
});

test("a store that lost an entry, or cannot be read, says so and answers nothing", async (context) => {
  const path = folder(context);
  const reporter = await device(path);
  await reporter.answer(await asking("a"), 0, { label: 0 });
  for (const [name, text] of [
    ["000000003.json", "{}"],
    ["000000001.json", "{"],
  ]) {
    writeFileSync(join(path, name), text);
    await assert.rejects(reporter.answer(await asking("b"), 0, { label: 0 }), { name: "StoreError" });
  }
});

test("many answers at once are given in turn, and never pass the cap", async (context) => {
  const path = folder(context);
  const campaigns = await Promise.all(Array.from({ length: 12 }, (_, number) => asking(`${number}`)));
  const answered = await Promise.allSettled(
    campaigns.map(async (asked, number) => (await device(path)).answer(asked, number, { label: 0 })),
  );
  assert.equal(answered.filter(({ status }) => status === "fulfilled").length, 4);
  assert.ok(
    answered.every(({ status, reason }) => status === "fulfilled" || reason.name === "BudgetExceededError"),
  );
  assert.deepEqual(await (await device(path)).spent(), { epsilon: 4, delta: 0 });
});

const DEVICE = new URL("device.js", import.meta.url);
const CLASSES = Array.from({ length: 200 }, (_, number) => `${number}`);
const argumentsOf = (path, name, label, cap) => {
  const text = terms({ name, labels: [response(1)], classes: CLASSES });
  return [path, idOf(text), text, "0", label, String(cap)];
};

test("a device that is killed between keeping and sending gives the same answer", async (context) => {
  const path = folder(context);
  for (let time = 0; time < 5; time++) {
    const started = argumentsOf(path, `campaign ${time}`, "5", 100);
    const child = spawn(process.execPath, [DEVICE.pathname, ...started], {
      env: { ...process.env, STAY: "1" },
    });
    const [said] = await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    const asked = await Campaign.fromTerms(started[2], started[1]);
    const reporter = await device(path, { epsilon: 100 });
    const { bytes } = await reporter.answer(asked, 0, { label: "6" });
    assert.equal(Buffer.from(bytes).toString("hex"), String(said).trim());
    assert.deepEqual(await reporter.spent(), { epsilon: time + 1, delta: 0 });
  }
});

test("a device that is killed at any moment has answered or has not", async (context) => {
  const path = folder(context);
  for (let time = 0; time < 10; time++) {
    const command = [DEVICE.pathname, ...argumentsOf(path, `campaign ${time}`, "5", 100)];
    const child = spawn(process.execPath, command, { stdio: "ignore" });
    const ended = once(child, "exit");
    setTimeout(() => child.kill("SIGKILL"), 40 + 8 * time);
    await ended;
    const records = await (await device(path)).records();
    assert.ok(records.every(({ bytes, state }) => bytes.length > 5 && state === "answered"));
    assert.deepEqual(
      readdirSync(path).filter((name) => name.startsWith(".")),
      [],
    );
  }
});

/** What so many processes say that start to answer at once. */
async function raced(commands) {
  const children = commands.map((command) =>
    fork(DEVICE, command, { stdio: ["ignore", "pipe", "inherit", "ipc"] }),
  );
  const texts = children.map(async (child) => {
    let text = "";
    for await (const chunk of child.stdout) text += chunk;
    return text.trim();
  });
  await Promise.all(children.map((child) => once(child, "message")));
  for (const child of children) child.send("go");
  return Promise.all(texts);
}

test("of processes that race, all give the answer of the first", async (context) => {
  for (let time = 0; time < 3; time++) {
    const path = folder(context);
    const said = await raced(["1", "2", "3"].map((label) => argumentsOf(path, "race", label, 100)));
    assert.equal(new Set(said).size, 1);
    assert.match(said[0], /^[0-9a-f]+$/);
    assert.equal(readdirSync(path).length, 1);
  }
});

test("processes that race for what is left of the cap do not pass it together", async (context) => {
  const path = folder(context);
  const said = await raced(["a", "b", "c", "d"].map((name) => argumentsOf(path, name, "1", 2)));
  assert.equal(said.filter((one) => one === "BudgetExceededError").length, 2);
  assert.deepEqual(await (await device(path)).spent(), { epsilon: 2, delta: 0 });
});

test("an answer without a reporter is a new one each time", async () => {
  const asked = await asking("spring", 1e-3);
  const drawn = await Promise.all(Array.from({ length: 20 }, () => randomized(asked, 0, { label: 0 })));
  assert.ok(new Set(drawn.map(String)).size > 1); // by chance, once in 10⁴³
});
