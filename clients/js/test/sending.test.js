import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { test } from "node:test";
import { Reporter } from "../src/index.js";
import { openStore } from "../src/node.js";
import { campaign, folder, response } from "./support.js";

/** A collector that answers as it is told, in turn and then as the last, and remembers what it was asked. */
async function collector(context, ...answers) {
  const requests = [];
  const server = createServer((request, reply) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url, headers } = request;
      requests.push({ method, url, headers, body: new Uint8Array(Buffer.concat(chunks)) });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === "silence") return;
      if (answer === "hang up") request.socket.destroy();
      else
        reply
          .writeHead(answer.status, answer.headers)
          .end(JSON.stringify(answer.body ?? { why: "so it is" }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => server.closeAllConnections() ?? server.close());
  return { requests, address: `http://127.0.0.1:${server.address().port}` };
}

async function answered(context, options) {
  const asked = await campaign({ labels: [response(1)] });
  const store = await openStore(folder(context));
  const reporter = new Reporter({ store, epsilon: 1, pause: 5, timeout: 500, ...options });
  return { asked, reporter, record: await reporter.answer(asked, 3, { label: "cat" }) };
}

test("what is sent is the stored bytes and nothing else", async (context) => {
  const { requests, address } = await collector(context, { status: 201 }, { status: 200 });
  const { asked, reporter, record } = await answered(context);
  for (const server of [address, `${address}/`]) {
    assert.deepEqual(await reporter.send(asked.id, server, "3.secret"), { ...record, state: "sent" });
  }
  for (const { method, url, headers, body } of requests) {
    assert.deepEqual([method, url], ["PUT", `/v1/campaigns/${asked.id}/report`]);
    assert.deepEqual(
      [headers.authorization, headers["content-type"]],
      ["Bearer 3.secret", "application/octet-stream"],
    );
    assert.deepEqual([headers.cookie, headers.referer], [undefined, undefined]);
    assert.deepEqual(body, record.bytes);
  }
  assert.equal((await reporter.records())[0].state, "sent");
});

test("it is sent again while the collector is busy, or gone, or silent", async (context) => {
  const busy = [
    { status: 503 },
    { status: 429, headers: { "Retry-After": "0" } },
    "hang up",
    "silence",
    { status: 201 },
  ];
  const { requests, address } = await collector(context, ...busy);
  const { asked, reporter, record } = await answered(context);
  assert.equal((await reporter.send(asked.id, address, "t")).state, "sent");
  assert.deepEqual(
    requests.map(({ body }) => body),
    Array(5).fill(record.bytes),
  );
});

test("a refusal is an error that says why, and is not tried again", async (context) => {
  for (const status of [400, 401, 403, 409, 410, 413, 422]) {
    const { requests, address } = await collector(context, { status, body: { why: "it is closed" } });
    const { asked, reporter } = await answered(context);
    await assert.rejects(reporter.send(asked.id, address, "t"), {
      name: "SendError",
      status,
      why: "it is closed",
    });
    assert.equal(requests.length, 1);
    assert.equal((await reporter.records())[0].state, "answered");
  }
});

test("it gives up some time, and says what was last", async (context) => {
  const { requests, address } = await collector(context, { status: 500, body: "no object" });
  const { asked, reporter } = await answered(context, { attempts: 3 });
  await assert.rejects(reporter.send(asked.id, address, "t"), {
    name: "SendError",
    status: 500,
    why: "Internal Server Error",
  });
  assert.equal(requests.length, 3);
  const gone = await answered(context, { attempts: 2 });
  await assert.rejects(gone.reporter.send(gone.asked.id, "http://127.0.0.1:1", "t"), {
    status: null,
    why: /cannot be reached/,
  });
  const silent = await collector(context, "silence");
  const waits = await answered(context, { attempts: 1, timeout: 50 });
  await assert.rejects(waits.reporter.send(waits.asked.id, silent.address, "t"), {
    status: null,
    why: /no answer within 0.05 s/,
  });
});

test("a redirect is not followed: the token is for one address", async (context) => {
  const elsewhere = await collector(context, { status: 201 });
  const { address } = await collector(context, { status: 307, headers: { Location: elsewhere.address } });
  const { asked, reporter } = await answered(context, { attempts: 1 });
  await assert.rejects(reporter.send(asked.id, address, "t"), { name: "SendError" });
  await assert.rejects(reporter.withdraw(asked.id, address, "t"), { name: "SendError" });
  assert.equal(elsewhere.requests.length, 0);
});

test("only this machine is spoken to without TLS, unless that is asked for", async (context) => {
  const { asked, reporter } = await answered(context);
  for (const server of ["http://example.org", "ftp://localhost", "nowhere", "javascript:alert(1)"]) {
    await assert.rejects(reporter.send(asked.id, server, "t"), { name: "SendError", status: null });
  }
  const addresses = [];
  const fetch = async (address) => addresses.push(address) && new Response(null, { status: 201 });
  const open = await answered(context, { insecure: true, fetch });
  await open.reporter.send(open.asked.id, "http://example.org/path/", "t");
  assert.deepEqual(addresses, [`http://example.org/path/v1/campaigns/${asked.id}/report`]);
});

test("what is withdrawn is deleted here and there, stays paid for, and is never sent again", async (context) => {
  const { requests, address } = await collector(
    context,
    { status: 201 },
    { status: 503 },
    { status: 204 },
    { status: 410 },
  );
  const { asked, reporter } = await answered(context);
  await reporter.send(asked.id, address, "t");
  for (let time = 0; time < 2; time++) {
    const record = await reporter.withdraw(asked.id, address, "t");
    assert.deepEqual([record.state, record.bytes, record.epsilon], ["withdrawn", null, 1]);
  }
  assert.deepEqual(
    requests.map(({ method, body }) => [method, body.length > 0]),
    [
      ["PUT", true],
      ["DELETE", false],
      ["DELETE", false],
      ["DELETE", false],
    ],
  );
  await assert.rejects(reporter.send(asked.id, address, "t"), { name: "NotAnsweredError" });
  await assert.rejects(reporter.answer(asked, 3, { label: "cat" }), { name: "NotAnsweredError" });
  assert.deepEqual(await reporter.spent(), { epsilon: 1, delta: 0 });
});

test("a withdrawal that the collector refuses changes nothing", async (context) => {
  const { address } = await collector(context, { status: 401 });
  const { asked, reporter, record } = await answered(context);
  await assert.rejects(reporter.withdraw(asked.id, address, "t"), { status: 401 });
  assert.deepEqual(await reporter.records(), [record]);
});

test("a device that lost its memory can still withdraw, and does not answer anew", async (context) => {
  const { address } = await collector(context, { status: 204 });
  const { asked } = await answered(context);
  const reporter = new Reporter({ store: await openStore(folder(context)), epsilon: 1 });
  assert.equal((await reporter.withdraw(asked.id, address, "t")).state, "withdrawn");
  await assert.rejects(reporter.answer(asked, 3, { label: "cat" }), { name: "NotAnsweredError" });
  await assert.rejects(reporter.send(asked.id, address, "t"), { name: "NotAnsweredError" });
});

test("what was not answered is not sent", async (context) => {
  const { asked } = await answered(context);
  const reporter = new Reporter({ store: await openStore(folder(context)), epsilon: 1 });
  await assert.rejects(reporter.send(asked.id, "http://localhost:1", "t"), /was not answered/);
});
