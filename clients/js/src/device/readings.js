// What a device makes of a value that a campaign does not know: it answers, because silence would tell.
//
// Who would rather refuse says so, and gets an error before anything is drawn or kept. What everybody knows of
// an argument, such as how many features there are, may be wrong too and is always an error.

import { ArgumentError, OutOfRangeError } from "../errors.js";
import { clipped } from "../mechanisms/rounding.js";

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INFINITE = /^([+-]?)inf(inity)?$/i;

/** Features in the range of the level's mechanism; one outside counts as the nearest end, no number as the middle. */
export function readFeatures(campaign, features, level, refuse = false) {
  const given = numbers(features, "features");
  if (given.length !== campaign.numFeatures) {
    throw new ArgumentError(`features must be ${campaign.numFeatures} numbers, got ${given.length}`);
  }
  const own = campaign.levels("features")[level];
  // Ends are rounded like the values, so that what lies inside a range still does.
  const rounded = features instanceof Float32Array ? Math.fround : (end) => end;
  return Array.from(given, (value, column) => {
    const [low, high] = campaign.ranges ? campaign.ranges[column].map(rounded) : [own.low, own.high];
    if (refuse && !(value >= low && value <= high)) {
      const name = campaign.featureNames?.[column] ?? `features[${column}]`;
      throw new OutOfRangeError(`${name} must lie in [${low}, ${high}] (private, so not shown)`);
    }
    const placed = campaign.ranges ? mapped(value, low, high, own) : value;
    // Adding 0 turns -0 into 0, which has one form.
    return (Number.isNaN(placed) ? campaign.midpoint : clipped(placed, own.low, own.high)) + 0;
  });
}

/** The number of the person's class; -1 for what is none of the classes. */
export function readLabel(campaign, label, refuse = false) {
  if (typeof label === "object" || typeof label === "function")
    throw new ArgumentError("label must be one class");
  const count = campaign.classes.length;
  const value = typeof label === "string" ? campaign.classes.indexOf(label) : numberOf(label);
  const known = Number.isInteger(value) && value >= 0 && value < count;
  if (refuse && !known) throw new OutOfRangeError("label must be one of the classes (private, so not shown)");
  return known ? value + 0 : -1;
}

/** The person's list, sorted, each once, without names that there are not; or from a mask of everybody. */
export function readFriends(campaign, person, friends, refuse = false) {
  const people = campaign.numPeople;
  let given = Array.from(numbers(friends, "friends"));
  if (isMask(friends, people)) given = given.flatMap((value, name) => (value === 1 ? [name] : []));
  const exists = (name) => Number.isInteger(name) && name >= 0 && name < people && name !== person;
  const named = [...new Set(given.filter(exists).map((name) => name + 0))].sort((one, other) => one - other);
  if (refuse && named.length < given.length) {
    throw new OutOfRangeError(
      `friends must be others among 0 … ${people - 1}, each once (private, so not shown)`,
    );
  }
  return named;
}

function mapped(value, low, high, own) {
  const place = clipped((value - low) / (high - low), 0, 1);
  // Rounding must not push the end of a range out of the mechanism's.
  return clipped(own.low + place * (own.high - own.low), own.low, own.high);
}

/** Whether every value is yes, no or missing, and not all are missing; people's numbers are none of it. */
function isMask(values, people) {
  if (values.length !== people || !Array.isArray(values)) return false;
  const told = (value) => typeof value === "boolean";
  return (
    values.some(told) && Array.from(values).every((value) => told(value) || Number.isNaN(numberOf(value)))
  );
}

/** Numbers, one for each value: NaN for each that is none. */
function numbers(values, name) {
  if (!Array.isArray(values) && !(ArrayBuffer.isView(values) && "length" in values)) {
    throw new ArgumentError(`${name} must be a list of numbers`);
  }
  return Float64Array.from(values, numberOf);
}

function numberOf(value) {
  if (typeof value === "string") return parsed(value.trim());
  return ["number", "bigint", "boolean"].includes(typeof value) ? Number(value) : NaN;
}

function parsed(text) {
  const infinite = INFINITE.exec(text);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  return DECIMAL.test(text) ? Number(text) : NaN;
}
