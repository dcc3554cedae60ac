/** The report, byte by byte: what leaves, nothing else. */

import { element } from "../shared/dom.js";
import { count, counted } from "../shared/words.js";

// A list of many friends has a part for each; all bytes are shown, but not everything is said of each.
const EXPLAINED = 200;
const FEW = 24;

/**
 * All bytes in a row, and what each part of them says.
 * @param {Uint8Array} bytes
 * @param {{from: number, to: number, what: string}[]} parts in order, without gaps
 */
export function bytesShown(bytes, parts) {
  const told = parts.slice(0, EXPLAINED);
  const rest = bytes.subarray(told.at(-1)?.to ?? 0);
  return element(
    "div",
    { class: "bytes" },
    element(
      "p",
      { class: "small soft" },
      `${counted(bytes.length, "byte")}, each written as two hexadecimal digits:`,
    ),
    element(
      "p",
      {
        class: "hex mono",
        id: "report-bytes",
        tabindex: "0",
        role: "group",
        "aria-label": "All bytes of the report",
      },
      told.map((part, place) => [
        element("span", { class: hue(place) }, hex(bytes.subarray(part.from, part.to))),
        " ",
      ]),
      hex(rest),
    ),
    element(
      "div",
      {
        class: parts.length > FEW ? "scrolls tall" : "scrolls",
        tabindex: "0",
        role: "region",
        "aria-label": "What each byte says",
      },
      table(bytes, told),
    ),
    parts.length > told.length &&
      element(
        "p",
        { class: "small soft" },
        `And ${count(parts.length - told.length)} parts more, of the same kind.`,
      ),
  );
}

function table(bytes, parts) {
  return element(
    "table",
    { class: "parts" },
    element("caption", { class: "unseen" }, "What each part of the report says"),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ["Bytes", "What they say"].map((name) => element("th", { scope: "col" }, name)),
      ),
    ),
    element(
      "tbody",
      {},
      parts.map((part, place) =>
        element(
          "tr",
          {},
          element(
            "th",
            { scope: "row" },
            element("code", { class: hue(place) }, hex(bytes.subarray(part.from, part.to))),
          ),
          element("td", {}, part.what),
        ),
      ),
    ),
  );
}

const hue = (place) => `part-${place % 4}`;

/** Bytes as hexadecimal digits: "1a 02". */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
