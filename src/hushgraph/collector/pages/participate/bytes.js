/** The report, byte by byte: what leaves, nothing else. */

import * as sdk from "/static/sdk/index.js";

import { element } from "../shared/dom.js";
import { counted } from "../shared/words.js";

/** All bytes in a row, and what each part of them says. */
export function bytesShown(campaign, bytes) {
  const parts = sdk.explain?.(campaign, bytes) ?? [{ start: 0, end: bytes.length, part: "report", text: "the whole report" }];
  return element(
    "div",
    { class: "bytes" },
    element("p", { class: "small soft" }, `${counted(bytes.length, "byte")}, written as pairs of hexadecimal digits:`),
    element(
      "p",
      { class: "hex mono", id: "report-bytes", "aria-label": `The report: ${hex(bytes)}` , role: "img" },
      parts.map((part, place) => element("span", { class: `part-${place % 4}` }, hex(bytes.subarray(part.start, part.end)))),
    ),
    element("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "What each byte says" }, table(bytes, parts)),
  );
}

function table(bytes, parts) {
  return element(
    "table",
    { class: "parts" },
    element("caption", { class: "unseen" }, "What each part of the report says"),
    element("thead", {}, element("tr", {}, ["Bytes", "Part", "What it says"].map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, parts.map((part, place) => row(hex(bytes.subarray(part.start, part.end)), part, place))),
  );
}

const row = (written, part, place) =>
  element(
    "tr",
    {},
    element("td", {}, element("code", { class: `part-${place % 4}` }, written)),
    element("th", { scope: "row" }, part.part),
    element("td", {}, part.text),
  );

/** Bytes as hexadecimal digits: "1a 02". */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
