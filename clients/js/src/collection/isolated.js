// Names as others wrote them, within text of our own: none of them changes how the text around it reads.

const OPENING = /[\u2066-\u2068]/;
const CLOSING = "\u2069";
// What ends a line, and with it every isolate.
const BREAKS = /[\n\r\x1c-\x1e\x85\u2028\u2029]/g;

/** A name in one line, with as many ends of isolates as it has beginnings: for an element of its own. */
export function balanced(name) {
  let open = 0;
  let text = "";
  for (const letter of name.replace(BREAKS, " ")) {
    if (letter === CLOSING && open === 0) continue;
    if (letter === CLOSING) open--;
    else if (OPENING.test(letter)) open++;
    text += letter;
  }
  return text + CLOSING.repeat(open);
}

/** The name between U+2068 and U+2069: a right-to-left override in it ends where it ends. */
export const isolated = (name) => `\u2068${balanced(name)}${CLOSING}`;
