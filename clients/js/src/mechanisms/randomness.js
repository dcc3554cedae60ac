// Words of 64 bits: the operating system's, or those that a test writes down.

/** How many words there are. */
export const WORDS = 1n << 64n;
const LARGEST = WORDS - 1n;
// crypto.getRandomValues gives 65,536 bytes at most at a time.
const AT_ONCE = 8192;

/** The operating system's secure randomness. */
export const secure = Object.freeze({
  words(count) {
    const drawn = new BigUint64Array(count);
    for (let start = 0; start < count; start += AT_ONCE) {
      globalThis.crypto.getRandomValues(drawn.subarray(start, start + AT_ONCE));
    }
    return drawn;
  },
});

/** So many words of a source, which may be somebody's own. */
export function draw(source, count) {
  const drawn = source.words(count);
  if (!(drawn instanceof BigUint64Array) || drawn.length !== count) {
    throw new TypeError(
      "a source of randomness must give a BigUint64Array of as many words as it was asked for",
    );
  }
  return drawn;
}

/** A uniform whole number below one bound, without bias. */
export function below(bound, source) {
  return Number(belowEach(BigUint64Array.of(BigInt(bound)), source)[0]);
}

/** A uniform whole number below each bound: the words of all first, then of those that were refused, again. */
export function belowEach(bounds, source) {
  const drawn = draw(source, bounds.length);
  let refused = Array.from(bounds.keys());
  for (;;) {
    // Words beyond the last multiple of the bound would favour small numbers.
    refused = refused.filter((place) => drawn[place] > LARGEST - (WORDS % bounds[place]));
    if (refused.length === 0) break;
    const again = draw(source, refused.length);
    refused.forEach((place, number) => {
      drawn[place] = again[number];
    });
  }
  return drawn.map((word, place) => word % bounds[place]);
}
