/** What is shown to somebody who came without a token, or with a wrong one. */

import { element, freshId } from "../shared/dom.js";

/** @param {string} why @param {(token: string) => void} given */
export function signIn(why, given) {
  const id = freshId("token");
  const input = element("input", { type: "password", id, required: true, autocomplete: "off", spellcheck: "false" });
  const submit = (event) => {
    event.preventDefault();
    given(input.value.trim());
  };
  return element(
    "form",
    { class: "card sign-in", submit },
    element("h1", { tabindex: "-1" }, "Who is asking?"),
    element("p", {}, why),
    element(
      "p",
      { class: "small soft" },
      "The address of a dashboard ends with “#token=” and the administrator token, as the command that started the campaign prints it.",
    ),
    element("div", { class: "field" }, element("label", { for: id }, "Administrator token"), input),
    element("div", { class: "actions" }, element("button", { class: "first" }, "Show the dashboard")),
  );
}
