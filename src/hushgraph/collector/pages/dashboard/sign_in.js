/** What is shown to somebody who came without a token, or with a wrong one. */

import { element, freshId } from "../shared/dom.js";

/** @param {string} why @param {(token: string) => void} given */
export function signIn(why, given) {
  const id = freshId("token");
  const input = element("input", {
    type: "password",
    id,
    required: true,
    autocomplete: "off",
    spellcheck: "false",
  });
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
      "It is the one that this collector was started with. A link can carry it, behind “#token=”.",
    ),
    element("div", { class: "field" }, element("label", { for: id }, "Administrator token"), input),
    element("div", { class: "actions" }, element("button", { class: "first" }, "Show the dashboard")),
  );
}
