/** Names from the terms: whoever wrote them, they change nothing of how the words around them read. */

import { balanced, isolated } from "/static/sdk/collection/isolated.js";

import { element } from "./dom.js";

/** A name as an element. */
export const named = (name) => element("bdi", {}, balanced(name));

/** A name for an element that has nothing else in it, or within text that cannot have elements. */
export { balanced, isolated };
