// Whether a text is the one that the Python library writes for its content: one content, one text, one id.

const TOKEN = /"(?:[^"\\]+|\\.)*"|-?\d[-+.\w]*/g;

/**
 * Refuses JSON that has an entry twice, entries that are not sorted, spaces between its parts, letters that are
 * escaped without need, or a number beyond numbers. How a finite number is written is not looked at.
 */
export function checkCanonical(text) {
  // An entry that stands there twice would be lost in reading, and then the text is not found again.
  const marked = text.replace(TOKEN, (token) => (token[0] === '"' ? `"s${token.slice(1)}` : `"n${token}"`));
  if (written(JSON.parse(marked)) !== text) {
    throw new RangeError("it is not canonical: sorted entries, each once, without spaces");
  }
}

/** JSON of what was marked: texts begin with s, and numbers, as they were written, with n. */
function written(value) {
  if (typeof value === "string") return value[0] === "s" ? JSON.stringify(value.slice(1)) : numeral(value);
  if (Array.isArray(value)) return `[${value.map(written)}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name.slice(1))}:${written(value[name])}`)}}`;
}

function numeral(marked) {
  const digits = marked.slice(1);
  if (!Number.isFinite(Number(digits))) throw new RangeError("a number in it is beyond numbers");
  return digits;
}
