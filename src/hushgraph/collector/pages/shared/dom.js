/** Elements from values. Text is always text: nothing that a server or a person wrote is read as HTML. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element of HTML. Attributes that are false, null or undefined are left out; functions are listeners.
 * @param {string} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | number | null | undefined | false | unknown[])} children
 */
export function element(name, attributes, ...children) {
  return dress(document.createElement(name), attributes, children);
}

/** The same of SVG. */
export function drawn(name, attributes, ...children) {
  return dress(document.createElementNS(SVG, name), attributes, children);
}

/** Sets attributes of an element that is there; what is the same already is not touched. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
  }
  return node;
}

/** Writes text where it differs, so that nothing that is selected or read out is disturbed without need. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
  return node;
}

/** The element of the page with this id. */
export const byId = (id) => document.getElementById(id);

let given = 0;

/** An id that nothing else on the page has. */
export const freshId = (what) => `${what}-${(given += 1)}`;

function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}
