/** Asks before something that cannot be undone. */

import { element, freshId } from "./dom.js";

/**
 * True if the person agrees. Escape, and leaving the dialog by any other way, is no.
 * @param {{title: string, text: string[], yes: string, no?: string}} question
 * @returns {Promise<boolean>}
 */
export function confirmed({ title, text, yes, no = "No, go back" }) {
  const [titled, described] = [freshId("title"), freshId("text")];
  return new Promise((resolve) => {
    const dialog = element(
      "dialog",
      { "aria-labelledby": titled, "aria-describedby": described, close: () => leave(false) },
      element("h2", { id: titled }, title),
      element(
        "div",
        { id: described },
        text.map((line) => element("p", {}, line)),
      ),
      element(
        "div",
        { class: "actions" },
        // The harmless one comes first, and has the focus.
        element("button", { type: "button", autofocus: true, click: () => leave(false) }, no),
        element("button", { type: "button", class: "final", click: () => leave(true) }, yes),
      ),
    );
    const leave = (answer) => {
      resolve(answer);
      dialog.close();
      dialog.remove();
    };
    document.body.append(dialog);
    dialog.showModal();
  });
}
