// The reporter: answers each campaign once, within the person's own cap, and remembers what it answered.

import { ArgumentError, NotAnsweredError } from "../errors.js";
import { secure } from "../mechanisms/randomness.js";
import { checkedPerson, randomized, takenLevels } from "./answering.js";
import { checkPrice, leftovers, recordOf, recordsOf, spentOf } from "./records.js";
import { deleteReport, putReport } from "./sending.js";

const OUT_OF_RANGE = ["clip", "refuse"];
const UNANSWERED = {
  "opted-out": "you opted out of this campaign",
  forgotten: "its answer was forgotten, and there is no second one",
  withdrawn: "its answer was withdrawn",
};

/**
 * Answers campaigns for one person on one device.
 *
 * The first answer to a campaign is on disk before it is returned, and is the answer for ever: asked again, after
 * a crash, from two tabs or processes at once. What answers cost adds up over campaigns, and what would pass the
 * cap is refused.
 */
export class Reporter {
  #store;
  #random;
  #sending;

  constructor({ store, epsilon, delta = 0, outOfRange = "clip", random = secure, ...sending }) {
    if (typeof store?.append !== "function") throw new ArgumentError("store must be what openStore gives");
    if (!(typeof epsilon === "number" && epsilon > 0)) throw new ArgumentError("epsilon must be above 0");
    if (!(typeof delta === "number" && delta >= 0 && delta < 1))
      throw new ArgumentError("delta must lie in [0, 1)");
    if (!OUT_OF_RANGE.includes(outOfRange))
      throw new ArgumentError(`outOfRange must be one of ${OUT_OF_RANGE.join(", ")}`);
    this.cap = Object.freeze({ epsilon, delta });
    this.outOfRange = outOfRange;
    this.#store = store;
    this.#random = random;
    this.#sending = sending;
  }

  /** The record of the answer: a new one, or the one that was given before, whatever is held now. */
  async answer(campaign, person, held, { levels } = {}) {
    const owner = checkedPerson(campaign, person);
    const before = given(await this.#entries(), campaign, owner);
    if (before) return before;
    const price = campaign.promise(takenLevels(campaign, held, levels));
    checkPrice(await this.#entries(), price, this.cap, campaign.name);
    const options = { levels, outOfRange: this.outOfRange, random: this.#random };
    const bytes = await randomized(campaign, owner, held, options);
    const answer = {
      ...about("answer", campaign),
      person: owner,
      bytes,
      epsilon: price.epsilon,
      delta: price.delta,
    };
    // Whoever is first decides: of a draw that comes second nothing is kept, and nothing leaves.
    const entries = await this.#store.append((found) => {
      if (given(found, campaign, owner)) return null;
      checkPrice(found, price, this.cap, campaign.name);
      return answer;
    });
    return given(entries, campaign, owner);
  }

  /** Sends the stored bytes, and nothing else; the same bytes again if it was sent before. */
  async send(campaignId, server, token) {
    const record = recordOf(await this.#entries(), campaignId);
    if (!record) throw new NotAnsweredError("this campaign was not answered");
    if (record.state in UNANSWERED) throw new NotAnsweredError(UNANSWERED[record.state]);
    await putReport(server, campaignId, token, record.bytes, this.#sending);
    return this.#became("sent", campaignId);
  }

  /**
   * Has the collector delete the report, for good. What it cost stays spent: somebody may have seen it. A device
   * that remembers no answer can ask for that too; it never answers the campaign then.
   */
  async withdraw(campaignId, server, token) {
    await deleteReport(server, campaignId, token, this.#sending);
    return this.#ended("withdrawn", campaignId);
  }

  /** Deletes the bytes that the device keeps. What they cost stays spent, and they are never drawn again. */
  async forget(campaignId) {
    const record = recordOf(await this.#entries(), campaignId);
    if (!record) throw new NotAnsweredError("this campaign was not answered");
    return record.bytes === null ? record : this.#ended("forgotten", campaignId);
  }

  /** Never answers the campaign. */
  async optOut(campaign) {
    const entries = await this.#store.append((found) => {
      const record = recordOf(found, campaign.id);
      if (record && record.state !== "opted-out") {
        throw new ArgumentError("this campaign was answered: its answer can be withdrawn or forgotten");
      }
      return record ? null : about("opt-out", campaign);
    });
    return recordOf(entries, campaign.id);
  }

  /** What was answered or opted out of, the oldest first. */
  async records() {
    return recordsOf(await this.#entries());
  }

  /** What all answers cost together. */
  async spent() {
    return spentOf(await this.#entries());
  }

  async #became(kind, campaignId) {
    const entries = await this.#store.append((found) => {
      const now = recordOf(found, campaignId);
      const entry = about(kind, { id: campaignId, name: now?.campaignName ?? "" });
      return recordOf([...found, entry], campaignId).state === now?.state ? null : entry;
    });
    return recordOf(entries, campaignId);
  }

  async #ended(kind, campaignId) {
    const record = await this.#became(kind, campaignId);
    await this.#entries();
    return record;
  }

  /** All entries. Bytes that are to be deleted, and were not because of a crash, are deleted now. */
  async #entries() {
    const entries = await this.#store.entries();
    for (const number of leftovers(entries)) await this.#store.erase(number);
    return entries;
  }
}

/** The record of the answer, if there is one; an error if there will never be one, or if it is somebody else's. */
function given(entries, campaign, person) {
  const record = recordOf(entries, campaign.id);
  if (!record) return null;
  if (record.bytes === null) throw new NotAnsweredError(UNANSWERED[record.state]);
  if (record.person !== person)
    throw new ArgumentError(`this device answered the campaign as person ${record.person}`);
  return record;
}

function about(kind, { id, name }) {
  return { kind, campaignId: id, campaignName: name, at: new Date().toISOString() };
}
