/** The token of a link, which stands behind its # so that no server and no proxy ever sees it in an address. */

const kept = new Map();
const key = `hushgraph/token${location.pathname}`;

/** Takes the token out of the address bar, and keeps it for this tab: a reload needs it again. */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) {
    history.replaceState(history.state, "", location.pathname + location.search);
    keepToken(token);
  }
  return read();
}

/** Keeps another token for this page. */
export function keepToken(token) {
  kept.set(key, token);
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // A browser that keeps nothing still works until the page is left.
  }
}

/** A second link that is opened over this page changes only what is behind the #, and loads nothing. */
export function onAnotherToken(then) {
  addEventListener("hashchange", () => {
    if (new URLSearchParams(location.hash.slice(1)).has("token")) {
      takeToken();
      then();
    }
  });
}

function read() {
  try {
    return sessionStorage.getItem(key) ?? kept.get(key) ?? null;
  } catch {
    return kept.get(key) ?? null;
  }
}
