/** What went wrong, in plain words. */

const BY_STATUS = {
  401: "The server does not accept your link: it may be incomplete, too old, or for another campaign. Ask whoever sent it for a new one.",
  403: "The server takes no answer from you now: the campaign is not open, or the link is for somebody else. Your answer stays on this device.",
  404: "There is no such campaign on this server. Look whether the link is complete.",
  408: "The connection was too slow, and the server gave up. Nothing is lost: try again.",
  409: "The server has another answer of yours already, from another device or browser, and keeps that one.",
  410: "Your answer was withdrawn, and the server takes no other one from you in this campaign.",
  413: "The server refuses this answer: it is larger than an answer can be. Tell whoever runs this campaign.",
  422: "The server refuses this answer: it does not fit the campaign. Tell whoever runs this campaign.",
  429: "The server is busy. Wait a moment and try again.",
};

/** A sentence for whatever was thrown; what the server wrote is shown only where there is nothing better. */
export function trouble(error) {
  if (error.status in BY_STATUS) return BY_STATUS[error.status];
  if (error.status >= 500) return "Something is wrong at the server. Nothing is lost: try again later.";
  if (error.name === "BudgetExceededError") return "This answer costs more than your limit leaves. Nothing was drawn.";
  // What fetch throws, when no answer came at all.
  if (error instanceof TypeError && error.status === undefined) {
    return "The server cannot be reached. Look whether you are online, and try again.";
  }
  return `This did not work: ${error.why ?? error.message}`;
}

/** The same when not even the terms could be read. */
export function startTrouble(error) {
  if (error.status !== undefined || error instanceof TypeError) return trouble(error);
  return (
    "What this server says about the campaign is not what your link stands for, or it cannot be read here. Nothing was answered or sent. " +
    `Tell whoever sent you the link. (${error.message})`
  );
}
