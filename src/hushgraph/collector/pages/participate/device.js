/** What the page knows: the campaign, what this device keeps about it, and what the server says it has. */

import { Campaign, Reporter, explain, openStore } from "/static/sdk/index.js";

import { Refused, ask, campaignPath } from "../shared/api.js";

/** The device, after the terms were compared with the id that the link names. */
export async function openDevice(id, token) {
  const text = await (await ask(campaignPath(id, "terms"))).text();
  const device = new Device(await Campaign.fromTerms(text, id), await openStore(), token);
  await device.refresh();
  return device;
}

class Device {
  #store;

  constructor(campaign, store, token) {
    this.campaign = campaign;
    this.token = token;
    this.person = personOf(token);
    this.#store = store;
    this.records = [];
    this.spent = { epsilon: 0, delta: 0 };
    this.parts = [];
    this.open = "open";
    this.server = "unknown";
  }

  /** Reads again what is kept here, and asks the server what it has. */
  async refresh() {
    const reporter = this.#reporter();
    [this.records, this.spent] = [await reporter.records(), await reporter.spent()];
    this.parts = this.record?.bytes ? await explain(this.campaign, this.record.bytes) : [];
    const terms = await ask(campaignPath(this.campaign.id, "terms")).catch(() => null);
    this.open = terms?.headers.get("Hushgraph-State") ?? this.open;
    this.server = await this.#atServer();
  }

  /** What is kept of this campaign, if anything. */
  get record() {
    return this.records.find((record) => record.campaignId === this.campaign.id) ?? null;
  }

  /** Whether the link is of somebody else than the one who answered here. */
  get isOfAnother() {
    const answered = this.record?.person ?? null;
    return answered !== null && this.person !== null && answered !== this.person;
  }

  /** The one answer that is ever drawn; a second call, from this tab or another, gives the first one. */
  answer({ values, levels, limit }) {
    return this.#reporter(limit).answer(this.campaign, this.person, values, { levels });
  }

  send() {
    return this.#reporter().send(this.campaign.id, location.origin, this.token);
  }

  withdraw() {
    return this.#reporter().withdraw(this.campaign.id, location.origin, this.token);
  }

  forget() {
    return this.#reporter().forget(this.campaign.id);
  }

  optOut() {
    return this.#reporter().optOut(this.campaign);
  }

  /**
   * What is out of range was refused in the form, if the person wants that: there, what is left empty on purpose
   * is not. Without a limit nothing can be answered, and nothing else spends anything.
   */
  #reporter(limit = { epsilon: Number.MIN_VALUE, delta: 0 }) {
    return new Reporter({ store: this.#store, ...limit, outOfRange: "clip" });
  }

  /** "none", "kept", "withdrawn", "refused" (the token), "unknown" (not reached). */
  async #atServer() {
    if (this.person === null) return "refused";
    try {
      const response = await ask(campaignPath(this.campaign.id, "report"), { token: this.token });
      await response.arrayBuffer();
      return "kept";
    } catch (error) {
      if (!(error instanceof Refused)) return "unknown";
      return { 401: "refused", 403: "refused", 404: "none", 410: "withdrawn" }[error.status] ?? "unknown";
    }
  }
}

/** The number before the dot of a token; null for what is no token of a person. */
function personOf(token) {
  const number = /^(\d{1,15})\.[\w-]+$/.exec(token ?? "")?.[1];
  return number === undefined ? null : Number(number);
}
