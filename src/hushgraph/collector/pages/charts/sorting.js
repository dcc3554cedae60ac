/** Columns that a table can be sorted by: a press sorts, another turns the order round, a third restores it. */

import { element, set } from "../shared/dom.js";

const TURNS = { none: "ascending", ascending: "descending", descending: "none" };

/**
 * @template Row
 * @param {string[]} names of the columns
 * @param {((row: Row) => string | number)[]} keys what each is sorted by
 * @param {() => void} changed
 * @returns {{headers: HTMLElement[], sorted: (rows: Row[]) => Row[]}}
 */
export function sortable(names, keys, changed) {
  let by = { column: 0, direction: "none" };
  const headers = names.map((name, column) => {
    const press = () => {
      by = { column, direction: TURNS[column === by.column ? by.direction : "none"] };
      headers.forEach((header, place) =>
        set(header, { "aria-sort": place === column ? by.direction : "none" }),
      );
      changed();
    };
    const button = element("button", { type: "button", class: "sort", click: press }, name);
    return element("th", { scope: "col", "aria-sort": "none", class: column > 0 && "number" }, button);
  });
  const sorted = (rows) => {
    if (by.direction === "none") return rows;
    const side = by.direction === "ascending" ? 1 : -1;
    const key = keys[by.column];
    return [...rows].sort((one, other) => side * compared(key(one), key(other)));
  };
  return { headers, sorted };
}

const compared = (one, other) =>
  typeof one === "string" ? one.localeCompare(other, undefined, { numeric: true }) : one - other;
