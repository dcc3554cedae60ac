// Roundings that JavaScript has otherwise than IEEE 754 by default.

/** The nearest whole number, halves to the even one. */
export function roundHalfEven(number) {
  const down = Math.floor(number);
  const rest = number - down;
  if (rest !== 0.5) return rest < 0.5 ? down : down + 1;
  return down % 2 === 0 ? down : down + 1;
}

/** Numbers in single precision. What rounds to -0 is 0: the sign of a nothing is nobody's business. */
export function singles(numbers) {
  // Adding 0 turns -0 into 0.
  return Float32Array.from(numbers, (number) => Math.fround(number) + 0);
}

/** A number moved into [low, high]; what is no number stays so. */
export function clipped(number, low, high) {
  if (number < low) return low;
  return number > high ? high : number;
}
