/** Opening, closing and taking the answers along. */

import { ask, campaignPath } from "../shared/api.js";
import { confirmed } from "../shared/confirm.js";
import { element } from "../shared/dom.js";
import { complain, say } from "../shared/messages.js";
import { trouble } from "./troubles.js";

const CLOSE = {
  title: "Close this campaign?",
  text: ["It takes no more answers, and it cannot be opened again. People can still withdraw."],
  yes: "Close it",
};

/**
 * @param {{id: string, token: string, changed: () => void, pause: (yes: boolean) => void}} page
 * @returns {{node: Node, update: (figures: object) => void}}
 */
export function controls({ id, token, changed, pause }) {
  const post = (what, said) =>
    act(async () => {
      await ask(campaignPath(id, what), { method: "POST", token });
      changed();
      say(said);
    });
  const open = element(
    "button",
    { type: "button", class: "first", click: () => post("open", "Open: it takes answers now.") },
    "Open",
  );
  const close = element(
    "button",
    {
      type: "button",
      class: "final",
      click: async () => (await confirmed(CLOSE)) && post("close", "Closed."),
    },
    "Close",
  );
  const download = element(
    "button",
    { type: "button", click: () => act(() => save(id, token)) },
    "Export answers",
  );
  const hold = element("button", { type: "button", "aria-pressed": "false" }, "Pause updates");
  hold.addEventListener("click", () => {
    const yes = hold.getAttribute("aria-pressed") !== "true";
    hold.setAttribute("aria-pressed", String(yes));
    pause(yes);
  });
  const update = ({ state }) => {
    open.hidden = state !== "draft";
    close.hidden = state !== "open";
  };
  return { node: element("div", { class: "actions controls" }, open, download, hold, close), update };
}

async function act(what) {
  try {
    await what();
  } catch (error) {
    complain(trouble(error));
  }
}

async function save(id, token) {
  say("Fetching the answers…");
  const file = await (await ask(campaignPath(id, "export"), { token })).blob();
  const link = element("a", {
    href: URL.createObjectURL(file),
    download: `campaign-${id.slice(0, 12)}.hushgraph`,
  });
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  say("The answers are in your downloads.");
}
