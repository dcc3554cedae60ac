// What is said to a collector: the stored bytes, or that a report is withdrawn; again, if the network fails.

import { SendError } from "../errors.js";

const USUAL = { insecure: false, timeout: 15_000, attempts: 6, pause: 500, longestPause: 30_000 };
const AGAIN = new Set([408, 425, 429]);

/** PUTs the bytes. Sending the same bytes twice is safe: the collector knows them again. */
export async function putReport(server, campaignId, token, bytes, options) {
  await requested("PUT", server, campaignId, token, bytes, options);
}

/** DELETEs the report, for good. That it was withdrawn before is no error. */
export async function deleteReport(server, campaignId, token, options) {
  await requested("DELETE", server, campaignId, token, undefined, options, [410]);
}

async function requested(method, server, campaignId, token, body, options, alsoFine = []) {
  const how = { ...USUAL, ...options };
  const address = addressOf(server, campaignId, how.insecure);
  for (let attempt = 1; ; attempt++) {
    const { response, failure } = await tried(address, method, token, body, how);
    if (response && (response.ok || alsoFine.includes(response.status))) return;
    const again = failure || response.status >= 500 || AGAIN.has(response.status);
    if (!again || attempt >= how.attempts)
      throw failure ?? new SendError(await whyOf(response), response.status);
    await response?.body?.cancel();
    await pause(how, attempt, response);
  }
}

async function tried(address, method, token, body, { timeout, fetch = globalThis.fetch }) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeout);
  try {
    const response = await fetch(address, {
      method,
      body,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body && { "Content-Type": "application/octet-stream" }),
      },
      signal: stop.signal,
      // Nothing but the bytes and the token leaves, and neither goes anywhere else.
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    });
    return { response };
  } catch (error) {
    const why = stop.signal.aborted
      ? `no answer within ${timeout / 1000} s`
      : "the collector cannot be reached";
    return { failure: new SendError(why, null, { cause: error }) };
  } finally {
    clearTimeout(timer);
  }
}

function addressOf(server, campaignId, insecure) {
  let base;
  try {
    base = new URL(server, globalThis.location?.href);
  } catch (error) {
    throw new SendError("the collector's address is no URL", null, { cause: error });
  }
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(base.hostname);
  if (base.protocol !== "https:" && !(base.protocol === "http:" && (insecure || isHere))) {
    throw new SendError(
      "the collector's address must be https; http only on this machine, or with insecure: true",
    );
  }
  return `${base.origin}${base.pathname.replace(/\/+$/, "")}/v1/campaigns/${campaignId}/report`;
}

/** Twice as long each time, so that a collector that is busy is not made busier; or as long as it asks for. */
async function pause({ pause: shortest, longestPause }, attempt, response) {
  const asked = Number(response?.headers.get("Retry-After")) * 1000 || 0;
  const backoff = shortest * 2 ** (attempt - 1) * (0.5 + Math.random());
  const wait = Math.min(longestPause, Math.max(asked, backoff));
  await new Promise((resolve) => setTimeout(resolve, wait));
}

async function whyOf(response) {
  try {
    const { why } = await response.json();
    if (typeof why === "string") return why;
  } catch {
    // Whatever stands before a collector may answer with something else than JSON.
  }
  return response.statusText || "the collector refused";
}
