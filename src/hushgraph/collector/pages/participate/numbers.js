/** Numbers as people write them in a row: "1, 2.5 3;4". */

/** The parts of a text between commas, semicolons, spaces and lines. */
export const parts = (text) => text.split(/[\s,;]+/).filter((part) => part !== "");

/** A number, or NaN for what is none; a lone hyphen or question mark is how people leave one out. */
export const asNumber = (part) => (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(part) ? Number(part) : NaN);

/** The places, counted from 1, of what is not as it should be. Values themselves are never repeated. */
export const places = (values, good) => values.flatMap((value, place) => (good(value) ? [] : [place + 1]));

/** "3rd and 7th", "3rd, 7th and 12 others" */
export function listed(numbers) {
  const shown = numbers.slice(0, 3).map(ordinal);
  const rest = numbers.length - shown.length;
  if (rest > 0) return `${shown.join(", ")} and ${rest} other${rest === 1 ? "" : "s"}`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

function ordinal(number) {
  const teen = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${teen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th")}`;
}
