/** The page of somebody who is asked to take part. */

import { campaignOfPage } from "../shared/api.js";
import { confirmed } from "../shared/confirm.js";
import { byId, element } from "../shared/dom.js";
import { complain, hush, say, working } from "../shared/messages.js";
import { isolated } from "../shared/names.js";
import { keepToken, onAnotherToken, takeToken } from "../shared/token.js";
import { openDevice } from "./device.js";
import { ledger } from "./ledger.js";
import { stageOf } from "./stage.js";
import { asked, heading, limits } from "./terms.js";
import { trouble } from "./troubles.js";
import { view } from "./views.js";

// Before anything else, so that it stands in the address bar no longer than it must.
const token = takeToken();
onAnotherToken(useToken);
const tabs = new BroadcastChannel("hushgraph");

function useToken(given) {
  keepToken(given);
  location.reload();
}

/** Shows what is so now; the focus goes where reading goes on. */
function show(device, focus) {
  const stage = stageOf(device);
  byId("stage").replaceChildren(view(stage, device, doings(device)));
  byId("ledger-place").replaceChildren(ledger(device));
  // Terms are for whoever has still to decide; afterwards they come last.
  const [terms, columns] = [byId("terms"), byId("columns")];
  if (stage === "asked") columns.before(terms);
  else columns.after(terms);
  if (focus) byId("stage-title").focus();
}

/** Does one thing at a time, shows what came of it, and tells other tabs. */
function doing(device, during, what) {
  return async (...given) => {
    if (byId("stage").getAttribute("aria-busy") === "true") return;
    const before = stageOf(device);
    try {
      byId("stage").setAttribute("aria-busy", "true");
      working(during);
      const after = await what(...given);
      if (after === null) return hush();
      await device.refresh();
      show(device, true);
      tabs.postMessage(device.campaign.id);
      say(after);
    } catch (error) {
      await device.refresh().catch(() => undefined);
      if (stageOf(device) !== before) show(device, true);
      complain(trouble(error));
    } finally {
      byId("stage").removeAttribute("aria-busy");
    }
  };
}

function doings(device) {
  return {
    complain,
    useToken,
    retry: doing(device, "Asking the server…", async () => "Asked again."),
    randomise: doing(device, "Drawing your answer…", async (answer) => {
      const pressed = new Date();
      const record = await device.answer(answer);
      return new Date(record.at) < pressed
        ? "There was an answer already, given in another tab or earlier. It stays as it is, " +
            "and what you entered now was not used."
        : "Drawn. Look at what leaves, then send it.";
    }),
    send: doing(
      device,
      "Sending…",
      async () => (await device.send(), "Sent. The server has kept your answer."),
    ),
    withdraw: doing(device, "", () =>
      afterAsking(
        WITHDRAW,
        async () => (await device.withdraw(), "Withdrawn. The server says that it has deleted your answer."),
      ),
    ),
    forget: doing(device, "", () =>
      afterAsking(FORGET, async () => (await device.forget(), "Deleted from this device.")),
    ),
    optOut: doing(device, "", () =>
      afterAsking(OPT_OUT, async () => (await device.optOut(), "You do not take part.")),
    ),
  };
}

const afterAsking = async (question, then) => ((await confirmed(question)) ? then() : null);

const WITHDRAW = {
  title: "Withdraw your answer?",
  text: [
    "The server is asked to delete it, and will not take another one from you in this campaign. " +
      "What becomes of copies and backups is up to whoever runs it.",
    "The price stays in your ledger: whoever saw the answer before has seen it.",
  ],
  yes: "Withdraw it",
};
const FORGET = {
  title: "Delete what this device keeps?",
  text: [
    "The bytes of your answer are deleted here. If the server has them, it keeps them: " +
      "withdraw the answer first if it should not.",
    "This device never answers this campaign again.",
  ],
  yes: "Delete it",
};
const OPT_OUT = {
  title: "Not take part?",
  text: ["This device will then never answer this campaign. It is not undone by opening the link again."],
  yes: "Do not take part",
};

/** Another tab did something: what is shown here is no longer so. What is being entered is left alone otherwise. */
function followOtherTabs(device) {
  tabs.addEventListener("message", async ({ data }) => {
    if (data !== device.campaign.id) return;
    const before = stageOf(device);
    await device.refresh();
    if (stageOf(device) === before) return;
    show(device, false);
    say("This was changed in another tab.");
  });
}

async function start() {
  try {
    const device = await openDevice(campaignOfPage(), token);
    document.title = `${isolated(device.campaign.name)} – hushgraph`;
    byId("heading").replaceChildren(heading(device.campaign));
    byId("terms").replaceChildren(asked(device.campaign), limits(device.campaign));
    show(device, false);
    followOtherTabs(device);
  } catch (error) {
    byId("heading").replaceChildren(
      element("h1", {}, "This campaign cannot be shown"),
      element("p", { class: "lead" }, trouble(error)),
    );
  }
  byId("main").setAttribute("aria-busy", "false");
}

await start();
