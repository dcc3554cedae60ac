// Checks of what terms say: each error names the entry and what is accepted.

/** A number; terms write an infinite one as {"number": "inf"}. */
export function number(value, name) {
  const infinite = isObject(value) && Object.keys(value).length === 1 && value.number === "inf";
  if (!infinite && typeof value !== "number") throw new TypeError(`${name} must be a number`);
  return infinite ? Infinity : value;
}

/** A privacy budget: above 0; infinity means that nothing is randomised. */
export function budget(value, name = "epsilon") {
  const checked = number(value, name);
  if (!(checked > 0)) throw new RangeError(`${name} must be above 0`);
  return checked;
}

/** A failure probability strictly between 0 and 1. */
export function failure(value, name = "delta") {
  const checked = number(value, name);
  if (!(checked > 0 && checked < 1)) throw new RangeError(`${name} must lie in (0, 1)`);
  return checked;
}

/** The public range [low, high] of a feature. */
export function range(first, second) {
  // Adding 0 turns -0 into 0.
  const [low, high] = [number(first, "low") + 0, number(second, "high") + 0];
  if (!(Number.isFinite(low) && Number.isFinite(high - low) && low < high)) {
    throw new RangeError("low and high must be finite with low < high");
  }
  return [low, high];
}

/** A whole number of at least `minimum` that JavaScript counts exactly. */
export function count(value, name, minimum = 0, most = Number.MAX_SAFE_INTEGER) {
  if (!Number.isSafeInteger(value) || value < minimum) {
    throw new RangeError(`${name} must be a whole number ≥ ${minimum}`);
  }
  if (value > most) throw new RangeError(`${name} must be at most ${most.toLocaleString("en")}`);
  return value + 0;
}

/** How many features: as many as fit into the memory of a device, whoever wrote the terms. */
export const features = (value, name, minimum = 0) => count(value, name, minimum, 10_000_000);

/** True or false. */
export function yesOrNo(value, name) {
  if (typeof value !== "boolean") throw new TypeError(`${name} must be true or false`);
  return value;
}

/** Text that UTF-8 can hold. */
export function text(value, name) {
  if (typeof value !== "string" || /\p{Surrogate}/u.test(value)) throw new TypeError(`${name} must be text`);
  return value;
}

/** Names, each once. */
export function names(value, name, minimum = 0) {
  const checked = list(value, name).map((one) => text(one, name));
  if (checked.length < minimum || new Set(checked).size < checked.length) {
    throw new RangeError(`${name} must be at least ${minimum} names, each once`);
  }
  return Object.freeze(checked);
}

/** A list. */
export function list(value, name) {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be a list`);
  return value;
}

/** An object that has the entries `needed`, maybe some that are `optional`, and no others. */
export function entries(value, name, needed, optional = []) {
  if (!isObject(value)) throw new TypeError(`${name} must be a JSON object`);
  const missing = needed.filter((entry) => !Object.hasOwn(value, entry));
  if (missing.length > 0) throw new RangeError(`${name} has no ${missing.join(", ")}`);
  const known = new Set([...needed, ...optional]);
  const unknown = Object.keys(value).filter((entry) => !known.has(entry));
  if (unknown.length > 0) throw new RangeError(`${name} has ${unknown.length} entries that are not known`);
  return value;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
