/** Where a person stands in this campaign. */

/**
 * What this device keeps decides; without that, what the server has of the person whose link this is.
 * @param {{record: object | null, server: string, open: string, token: string | null}} device
 */
export function stageOf({ record, server, open, token }) {
  if (record !== null)
    return record.state !== "opted-out" && server === "withdrawn" ? "withdrawn" : record.state;
  if (token === null) return "no-link";
  if (server === "refused") return "bad-link";
  if (server === "kept") return "elsewhere";
  if (server === "withdrawn") return "withdrawn-elsewhere";
  if (open !== "open") return open === "draft" ? "not-open" : "closed";
  // An answer that is drawn while nobody knows whether there is one already might be a second one.
  return server === "none" ? "asked" : "unreachable";
}

const STEPS = ["Read", "Answer", "Check", "Sent"];
const AT = { asked: 1, answered: 2, sent: 3 };

/** The steps of the way and the one that somebody is at, or null where there is no way on. */
export const steps = (stage) => (stage in AT ? { names: STEPS, at: AT[stage] } : null);
