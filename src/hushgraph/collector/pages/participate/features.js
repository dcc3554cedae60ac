/** Numbers about somebody: a field for each of the first ones, and a box for pasting where there are more. */

import { element } from "../shared/dom.js";
import { counted } from "../shared/words.js";
import { numberField } from "./number_field.js";
import { pasteBox } from "./paste_box.js";
import { featureName, featureRange } from "./questions.js";

const SHOWN = 20;

/** @returns {{node: Node, read: () => {value: number[], wrong: {input: Element, text: string} | null}}} */
export function featuresInput(campaign) {
  const total = campaign.numFeatures;
  const fields = Array.from({ length: Math.min(total, SHOWN) }, (_, place) =>
    numberField(featureName(campaign, place), featureRange(campaign, place)),
  );
  const box =
    total > SHOWN
      ? pasteBox(
          total,
          (place) => featureRange(campaign, place),
          (values) => fill(fields, values),
        )
      : null;
  const clip = element("input", { type: "checkbox", autocomplete: "off" });
  const node = element(
    "div",
    {},
    box &&
      element(
        "p",
        {},
        `These are the first ${SHOWN} of ${counted(total, "number")}. All of them can be pasted below.`,
      ),
    element(
      "p",
      { class: "small soft" },
      "What you leave empty counts as the middle of its range.",
    ),
    element(
      "div",
      { class: "fields" },
      fields.map((field) => field.node),
    ),
    box?.node,
    element(
      "label",
      { class: "choice take" },
      clip,
      element("span", {}, "Count a number outside its range as the nearest end, instead of telling me"),
    ),
  );
  const read = () => {
    const rest = box?.read(clip.checked) ?? { value: [], wrong: null };
    const value = Array.from(
      { length: total },
      (_, place) => fields[place]?.value() ?? rest.value[place] ?? NaN,
    );
    const wrong = fields.map((field) => field.wrong(clip.checked)).find((one) => one !== null) ?? rest.wrong;
    return { value, wrong };
  };
  return { node, read };
}

function fill(fields, values) {
  fields.forEach((field, place) => field.fill(values[place]));
}
