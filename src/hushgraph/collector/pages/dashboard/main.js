/** The page of whoever runs a campaign. */

import { Refused, campaignOfPage } from "../shared/api.js";
import { byId, write } from "../shared/dom.js";
import { complain } from "../shared/messages.js";
import { isolated } from "../shared/names.js";
import { dropToken, keepToken, keptToken, onAnotherToken } from "../shared/token.js";
import { board } from "./board.js";
import { footnote } from "./footnote.js";
import { signIn } from "./sign_in.js";
import { follow } from "./statistics.js";
import { trouble } from "./troubles.js";

const id = campaignOfPage();
// Before anything else, so that it stands in the address bar no longer than it must.
const exposed = dropToken();
const token = keptToken();
const EXPOSED =
  "A token stood in the address of this page, and was not used. Browsers keep addresses, in their history and " +
  "on disk: replace that administrator token by another.";
onAnotherToken(() => complain(EXPOSED));

function askForToken(why) {
  byId("main").replaceChildren(
    signIn(why, (given) => {
      keepToken(given);
      location.reload();
    }),
  );
  byId("main").querySelector("h1").focus();
}

function start() {
  const shown = board({ id, token, changed: () => figures.now(), pause: (yes) => figures.pause(yes) });
  const figures = follow(id, token, {
    arrived: (arrived, terms) => {
      shown.update(arrived, terms);
      write(byId("foot"), footnote(arrived));
      if (!byId("main").contains(shown.node)) byId("main").replaceChildren(shown.node);
      document.title = `${isolated(arrived.name)} – dashboard – hushgraph`;
    },
    failed: (error) => {
      if (error.status === 401) askForToken(trouble(error));
      else if (error.status === 404) complain(trouble(error));
      else shown.stale(`${trouble(error)} These figures are old.`);
      // Who is refused is refused again; an unreachable server may come back.
      return !(error instanceof Refused) || error.status >= 500 || error.status === 429;
    },
  });
}

if (token === null) askForToken("This page needs the administrator token.");
else start();
if (exposed) complain(EXPOSED);
byId("main").setAttribute("aria-busy", "false");
