/** A bar of what is spent, what this answer would cost, and the limit. The text beside it says the same. */

import { drawn, set } from "../shared/dom.js";

/** @returns {{node: Node, update: (spent: number, price: number, limit: number) => void}} */
export function budgetBar() {
  const spentPart = drawn("rect", { class: "spent", height: "100%", x: 0 });
  const pricePart = drawn("rect", { class: "cost", height: "100%" });
  const mark = drawn("line", { class: "mark", y1: 0, y2: "100%" });
  const node = drawn("svg", { class: "budget", "aria-hidden": "true" }, spentPart, pricePart, mark);
  const update = (spent, price, limit) => {
    // Whatever is larger fills the bar, so that going beyond the limit is seen.
    const whole = Math.max(Number.isFinite(price) ? spent + price : 2 * limit, limit || 0) || 1;
    const share = (value) => `${(100 * Math.min(1, value / whole)).toFixed(2)}%`;
    set(spentPart, { width: share(spent) });
    set(pricePart, { x: share(spent), width: share(Math.min(price, whole - spent)) });
    set(mark, { x1: share(limit || 0), x2: share(limit || 0) });
    node.classList.toggle("over", !(spent + price <= (limit || 0) + 1e-9));
  };
  return { node, update };
}
