/** The stages in which there is nothing to enter: why that is, in plain words. */

const ASK = "Ask whoever sent you the link for a new one.";

const ASKED_TO_DELETE =
  "The server was asked to delete it and says that it has, and it takes no other one from you in this campaign. " +
  "What becomes of copies and backups is up to whoever runs it.";

/** Title and paragraphs by stage. */
export const ENDED = {
  "no-link": {
    title: "Open this page by your own link",
    text: [
      "To answer, you need the link that was made for you, or its token: what stands behind “#token=”. " +
        "This address does not have it, and a tab keeps it only until it is closed.",
      "A token that is typed or pasted here does not get into this browser’s history, as a link does.",
    ],
  },
  "bad-link": {
    title: "This link does not work here",
    text: ["The server does not accept it: it may be incomplete, too old, or for another campaign.", ASK],
  },
  elsewhere: {
    title: "An answer was given already",
    text: [
      "The server has an answer that was sent with this link, from another device or another browser. " +
        "There can be only one: a second " +
        "would tell more about you than you were promised.",
      "You can withdraw it from the device that sent it, or here.",
    ],
  },
  "withdrawn-elsewhere": {
    title: "The answer was withdrawn",
    text: [
      `It was sent with this link and withdrawn again. ${ASKED_TO_DELETE}`,
    ],
  },
  "not-open": {
    title: "This campaign has not started",
    text: ["Nothing can be answered yet. Come back by the same link when it has."],
  },
  closed: {
    title: "This campaign is over",
    text: ["It takes no more answers. Nothing of you was sent from this device."],
  },
  unreachable: {
    title: "The server cannot be reached",
    text: ["It has to say first that you have not answered already. Nothing was drawn or sent."],
  },
  withdrawn: {
    title: "Your answer is withdrawn",
    text: [
      ASKED_TO_DELETE,
      "Its price stays in your ledger: who saw it before has seen it.",
    ],
  },
  forgotten: {
    title: "Your answer is deleted here",
    text: [
      "This device no longer has its bytes. It keeps that there was one, and its price, " +
        "so that it never answers this campaign a second time.",
    ],
  },
  "opted-out": {
    title: "You do not take part",
    text: ["This device will not answer this campaign. Nothing of you was sent, and nothing was spent."],
  },
};
