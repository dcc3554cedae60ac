/** What this device has given away so far, campaign by campaign. */

import { element } from "../shared/dom.js";
import { named } from "../shared/names.js";
import { epsilon, moment, tiny } from "../shared/words.js";

export const STATES = {
  answered: "not sent yet",
  sent: "sent",
  withdrawn: "withdrawn",
  forgotten: "deleted here",
  "opted-out": "not taken part",
};

/** @param {{records: object[], spent: {epsilon: number, delta: number}, campaign: {id: string}}} device */
export function ledger({ records, spent, campaign }) {
  return element(
    "section",
    { class: "card ledger", "aria-labelledby": "ledger" },
    element("h2", { id: "ledger" }, "This device’s ledger"),
    records.length === 0
      ? element(
          "p",
          { class: "soft" },
          "Nothing is spent here yet. Each answer that is drawn here will be listed, with its price.",
        )
      : element(
          "div",
          { class: "scrolls", tabindex: "0", role: "region", "aria-label": "What was spent on what" },
          table(records, spent, campaign),
        ),
    element(
      "p",
      { class: "small soft" },
      "A price stays spent when an answer is withdrawn or deleted: what was learned from it is learned.",
    ),
    element(
      "p",
      { class: "small soft" },
      `This browser keeps it for this address alone, ${location.host}. What you answered elsewhere is not in it.`,
    ),
  );
}

function table(records, spent, campaign) {
  return element(
    "table",
    {},
    element("caption", { class: "unseen" }, "What this device has spent"),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "col" }, "Campaign"),
        element("th", { scope: "col", class: "number" }, "ε"),
      ),
    ),
    element(
      "tbody",
      {},
      records.map((record) => row(record, campaign)),
    ),
    element(
      "tfoot",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "row" }, "In all"),
        element("td", { class: "number" }, price(spent)),
      ),
    ),
  );
}

function row(record, campaign) {
  const here = record.campaignId === campaign.id;
  return element(
    "tr",
    {},
    element(
      "th",
      { scope: "row" },
      // A campaign that was only withdrawn from here has no name in the ledger.
      named(record.campaignName || (here ? campaign.name : `Campaign ${record.campaignId.slice(0, 8)}…`)),
      here && " (this one)",
      element(
        "span",
        { class: "small soft" },
        `${STATES[record.state] ?? record.state}, ${moment(record.at)}`,
      ),
    ),
    element("td", { class: "number" }, price(record)),
  );
}

const price = (of) => [
  epsilon(of.epsilon),
  of.delta > 0 ? element("span", { class: "small soft" }, `δ ${tiny(of.delta)}`) : null,
];
