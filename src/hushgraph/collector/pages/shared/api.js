/** The collector's HTTP API, as far as the pages use it. */

/** An answer of the server that says no: its status and the reason that it gave. */
export class Refused extends Error {
  constructor(status, why) {
    super(why);
    this.name = "Refused";
    this.status = status;
    this.why = why;
  }
}

/**
 * Asks the server; what it refuses is thrown as Refused, and an unreachable server as fetch's own TypeError.
 * @param {string} path
 * @param {{method?: string, token?: string | null}} [options]
 */
export async function ask(path, { method = "GET", token = null } = {}) {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(path, {
    method,
    headers,
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
  });
  if (!response.ok) throw new Refused(response.status, await reason(response));
  return response;
}

/** The address of one campaign in the API. */
export const campaignPath = (id, what) => `/v1/campaigns/${encodeURIComponent(id)}/${what}`;

/** The campaign that the address of this page names. */
export const campaignOfPage = () =>
  decodeURIComponent(location.pathname.split("/").filter(Boolean).at(-1) ?? "");

async function reason(response) {
  try {
    return String((await response.json()).why ?? "");
  } catch {
    return "";
  }
}
