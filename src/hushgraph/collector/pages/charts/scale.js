/** Axes: where a value lies, and which values are worth a mark. */

/** The least round number, 1, 2 or 5 times a power of ten, that is at least this. */
export function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((times) => times * power).find((round) => round >= value * (1 - 1e-12));
}

/** Round values from low to high, at most this many steps apart. */
export function ticks(low, high, steps = 4) {
  const step = roundUp((high - low) / steps);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
}

/** A function from [low, high] to [from, to]; values beyond the ends stay at them. */
export function scale([low, high], [from, to]) {
  const width = high - low || 1;
  return (value) => from + (to - from) * Math.min(1, Math.max(0, (value - low) / width));
}

/** As text that differs from mark to mark. */
export function tickText(values) {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : 1;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return values.map((value) =>
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
}
