// Doubles as exact fractions of whole numbers, so that no comparison about privacy is rounded.

const BILLION = 10n ** 9n;
const view = new DataView(new ArrayBuffer(8));

/** A finite double of at least 0 as [numerator, denominator]; the denominator is a power of two. */
export function fraction(number) {
  view.setFloat64(0, number);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const digits = (bits & 0xfffffffffffffn) | (exponent ? 1n << 52n : 0n);
  const power = Math.max(exponent, 1) - 1075;
  return power < 0 ? [digits, 1n << BigInt(-power)] : [digits << BigInt(power), 1n];
}

/** The double just below one that is above 0. */
export function nextBelow(number) {
  view.setFloat64(0, number);
  view.setBigUint64(0, view.getBigUint64(0) - 1n);
  return view.getFloat64(0);
}

/** The sum of doubles of at least 0, rounded once. */
export function sum(numbers) {
  if (numbers.includes(Infinity)) return Infinity;
  const whole = added(numbers);
  // More than double precision can hold in one number is scaled down in whole numbers first.
  const spare = Math.max(0, whole.toString(2).length - 1000);
  const kept = whole >> BigInt(spare);
  const sticky = kept << BigInt(spare) === whole ? 0n : 1n;
  return scaled(Number(kept | sticky), spare - 1074);
}

/** Whether doubles of at least 0 add up to more than a limit and `parts` of 10⁹ of it, exactly. */
export function exceeds(numbers, limit, parts) {
  if (limit === Infinity) return false;
  return numbers.includes(Infinity) || added(numbers) * BILLION > added([limit]) * (BILLION + BigInt(parts));
}

/** A sum as a multiple of 2⁻¹⁰⁷⁴, which all doubles are. */
function added(numbers) {
  return numbers.reduce((total, number) => {
    const [above, below] = fraction(number);
    return total + (above << 1074n) / below;
  }, 0n);
}

function scaled(number, power) {
  let left = power;
  let result = number;
  while (left !== 0) {
    const step = Math.max(-1000, Math.min(1000, left));
    result *= 2 ** step;
    left -= step;
  }
  return result;
}

/** The least whole number from `above / below` on, both above 0. */
export function ceilingOf(above, below) {
  return (above + below - 1n) / below;
}

/** How many binary digits a whole number of at least 0 has; 0 has none. */
export function bitLength(whole) {
  return whole === 0n ? 0 : whole.toString(2).length;
}
