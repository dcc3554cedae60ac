/** Numbers as people read them. */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** 1234 → "1,234". */
export const count = (number) => whole.format(number);

/** "1 answer", "2 answers". */
export const counted = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

/** A budget as it was stated: ε = 0.5, ε = ∞. */
export const epsilon = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "∞");

/** A share in percent, with one digit behind the point. */
export const percent = (share, digits = 1) => `${fixed(100 * share, digits)}\u00a0%`;

/** A chance in percent, with more digits the smaller it is, or the nearer to 1: what is not certain is not 100 %. */
export function chance(probability) {
  const rest = 1 - probability;
  if (rest < 1e-8) return "more than 99.999999\u00a0%";
  if (rest > 0.001) return `${short.format(100 * probability)}\u00a0%`;
  return `${(100 * probability).toFixed(Math.ceil(-Math.log10(rest)))}\u00a0%`;
}

/**
 * What ε allows, as odds. Rounded up, so that "at most" stays true.
 * odds(1) → "2.72 to 1"
 */
export function odds(value) {
  const factor = Math.exp(value);
  if (!Number.isFinite(factor) || factor >= 1e9) return "more than a billion to 1";
  const unit = 10 ** (Math.floor(Math.log10(factor)) - 2);
  // Less a trifle, or 1 itself would be rounded up for a rounding error.
  return `${short.format(Math.ceil(factor / unit - 1e-9) * unit)} to 1`;
}

/** How strongly one answer, or several together, are hidden. */
export function strength(value, delta = 0) {
  if (!Number.isFinite(value)) return "not hidden: it is sent as it is";
  return `odds of at most ${odds(value)}${delta > 0 ? `, but for a chance of ${tiny(delta)}` : ""}`;
}

/** From where on randomness changes little: the odds are above 148 to 1. */
const WEAK = 5;

/** What has to be said beside a level that hides little; "" where there is nothing to say. */
export const warning = (value) =>
  Number.isFinite(value) && value > WEAK
    ? "This hides little: at this level what is sent may nearly always be the true answer."
    : "";

/** A very small chance: "1 in 1,000,000". */
export const tiny = (delta) => `1 in ${whole.format(Math.floor(1 / delta))}`;

/** A day and a time, in the reader's own way. */
export const moment = (date) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(new Date(date));

/** A number with so many digits, with the sign that mathematics has. */
export const fixed = (number, digits) => number.toFixed(digits).replace("-", "−");

/** Digits that a number with this uncertainty deserves. */
export function digitsFor(halfWidth) {
  if (!(halfWidth > 0)) return 2;
  return Math.min(6, Math.max(halfWidth < 100 ? 1 : 0, 1 - Math.floor(Math.log10(halfWidth))));
}
