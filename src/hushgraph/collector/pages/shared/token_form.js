/** A token that is typed or pasted: unlike an address, it gets into no history. */

import { element, freshId } from "./dom.js";

/**
 * The field and its button, within a form of whoever uses it.
 * @param {string} label @param {string} button @param {(token: string) => void} given
 */
export function tokenForm(label, button, given) {
  const id = freshId("token");
  const input = element("input", {
    type: "password",
    id,
    required: true,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  const submit = (event) => {
    event.preventDefault();
    const token = tokenOf(input.value);
    input.value = "";
    given(token);
  };
  return element(
    "form",
    { class: "token-form", autocomplete: "off", submit },
    element("div", { class: "field" }, element("label", { for: id }, label), input),
    element("div", { class: "actions" }, element("button", { class: "first" }, button)),
  );
}

/** People paste whole links too. */
const tokenOf = (text) => text.trim().split("#token=").at(-1);
