/** What the figures are made of, as far as it is so in this campaign. */

const HIDDEN =
  "Every figure is estimated from answers that people’s devices changed at random. What they were before is not " +
  "on this server.";
const OPEN =
  "Where ε is ∞, devices send answers as they are, and this server has them so. Nothing hides them from whoever " +
  "reads them.";

/** @param {{levels: Record<string, {epsilon: number | null}[]>}} figures in which an infinite ε is null */
export function footnote({ levels }) {
  const all = Object.values(levels ?? {}).flat();
  const finite = all.length > 0 && all.every(({ epsilon }) => Number.isFinite(epsilon));
  return finite ? HIDDEN : OPEN;
}
