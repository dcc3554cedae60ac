/** What went wrong, in plain words. */

const NEW_LINK = "Ask whoever sent it for a new one.";
const TELL = "Tell whoever runs this campaign.";
const BY_STATUS = {
  401: `The server does not accept your link: it may be incomplete, too old, or for another campaign. ${NEW_LINK}`,
  403:
    "The server takes no answer from you now: the campaign is not open, " +
    "or the link is for somebody else. Your answer stays on this device.",
  404: "There is no such campaign on this server. Look whether the link is complete.",
  408: "The connection was too slow, and the server gave up. Nothing is lost: try again.",
  409: "The server has another answer of yours already, from another device or browser, and keeps that one.",
  410: "Your answer was withdrawn, and the server takes no other one from you in this campaign.",
  413: `The server refuses this answer: it is larger than an answer can be. ${TELL}`,
  422: `The server refuses this answer: it does not fit the campaign. ${TELL}`,
  429: "The server is busy. Wait a moment and try again.",
};
const BY_NAME = {
  BudgetExceededError: "This answer costs more than your limit leaves. Nothing was drawn.",
  NotAnsweredError:
    "This device does not answer this campaign: it was withdrawn, deleted or declined here before.",
  StoreError:
    "This browser cannot keep your answer, so none was drawn. Private windows and full disks are the usual reasons.",
  CampaignError:
    "What this server says about the campaign is not what your link stands for. " +
    "Nothing was answered or sent. Tell whoever sent you the link.",
};
const UNREACHABLE =
  "The server cannot be reached. What is on this device stays there. Look whether you are online, and try again.";

/** A sentence for whatever was thrown; the error's own words are shown only where there are no better ones. */
export function trouble(error) {
  if (error.status in BY_STATUS) return BY_STATUS[error.status];
  if (error.status >= 500) return "Something is wrong at the server. Nothing is lost: try again later.";
  if (error.name in BY_NAME) return BY_NAME[error.name];
  // An error with a cause is one of the network, where no answer came at all; so is what fetch itself throws.
  if (error instanceof TypeError || (error.name === "SendError" && error.cause)) return UNREACHABLE;
  return `This did not work: ${error.why ?? error.message}.`;
}
