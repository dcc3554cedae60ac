/** The token that a page is used with. */

const kept = new Map();
const key = `hushgraph/token${location.pathname}`;

/**
 * Takes the token of a link out of the address bar, and keeps it for this tab: a reload needs it again. It stands
 * behind the # of the link, so that no server and no proxy ever sees it; the browser's history keeps it there.
 */
export function takeToken() {
  const token = fromAddress();
  if (token !== null) keepToken(token);
  return keptToken();
}

/** Takes a token out of the address bar that should not stand there, unused. True if there was one. */
export const dropToken = () => fromAddress() !== null;

/** Keeps another token for this page. */
export function keepToken(token) {
  kept.set(key, token);
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // A browser that keeps nothing still works until the page is left.
  }
}

/** What this tab has kept, or null. */
export function keptToken() {
  try {
    return sessionStorage.getItem(key) ?? kept.get(key) ?? null;
  } catch {
    return kept.get(key) ?? null;
  }
}

/** A second link that is opened over this page changes only what is behind the #, and loads nothing. */
export function onAnotherToken(then) {
  addEventListener("hashchange", () => {
    const token = fromAddress();
    if (token !== null) then(token);
  });
}

function fromAddress() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}
