"""What noise spends, by dp-accounting.

Every part of a method is a number of Gaussian releases. Its noise multiplier is the standard deviation over
the norm that one person's (or edge's) share of a release is clipped to.

- Parts in which a neighbour changes one sample are accounted by privacy loss distributions (PLD), with
  Poisson sampling; *removal* is dp-accounting's REPLACE_SPECIAL (a record there or empty, n public),
  *replacement* its REPLACE_ONE.
- Where a neighbour changes several samples, as when neighbours' features are inputs, the whole is accounted
  by Rényi DP: the number of changed samples in a batch is binomial, and exp((α-1)·D_α) of the step is at most
  its average over that number (joint convexity; Daigavane et al., 2021, for sampling without replacement).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import binom

from hushgraph.privacy.relations import NeighboringRelation

# Losses are rounded up to multiples of this: coarser is faster and spends a little more.
GRID_OF_LOSSES = 1e-3
FINE_UP_TO, LARGEST_BY_PLD = 20.0, 1e4
MOST_TOUCHED = 100_000


class CalibrationError(ArithmeticError):
    """No noise was found that keeps the budget; nothing was released."""


@dataclass(frozen=True, slots=True)
class Releases:
    """Some releases of one kind.

    Attributes:
        name: as the budget calls it.
        steps: how many releases there are.
        rate: the probability with which each person is in the batch of a step.
        touched: how many samples a neighbouring graph changes; 0 for a release of the whole, whose noise
            multiplier is over the norm of all that a neighbour changes.
    """

    name: str
    steps: int
    rate: float = 1.0
    touched: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise ValueError(f"the rate of {self.name!r} must lie in (0, 1], got {self.rate!r}")
        if self.rate < 1 and self.touched == 0:
            raise ValueError(f"a batch of {self.name!r} of which nothing changes is no release")


def accountant_of(parts: Sequence[Releases]) -> str:
    """Which accountant these parts need: ``"PLD"`` or ``"RDP"``."""
    return "RDP" if any(part.touched > 1 for part in parts) else "PLD"


@lru_cache(maxsize=256)
def epsilon_of(
    parts: tuple[Releases, ...], multipliers: tuple[float, ...], delta: float, relation: NeighboringRelation
) -> float:
    """What the parts together spend at δ."""
    if not all(multiplier > 0 for multiplier in multipliers):
        return math.inf
    by_rdp = rdp_of(parts, multipliers, delta, relation)
    if accountant_of(parts) == "RDP" or by_rdp > LARGEST_BY_PLD:
        return by_rdp
    # Either is a bound. Where losses are large their grid is coarse, for it would grow with them, and beyond
    # what anybody calls private there is none.
    interval = GRID_OF_LOSSES * max(1.0, by_rdp / FINE_UP_TO)
    return min(by_rdp, pld_of(parts, multipliers, delta, relation, interval))


def pld_of(
    parts: Sequence[Releases],
    multipliers: Sequence[float],
    delta: float,
    relation: NeighboringRelation,
    interval: float,
) -> float:
    """What the parts together spend at δ by privacy loss distributions, on a grid of losses."""
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    replacement = relation == "node-replacement"
    theirs = dp_accounting.NeighboringRelation
    accountant = PLDAccountant(theirs.REPLACE_ONE if replacement else theirs.REPLACE_SPECIAL, interval)
    for part, multiplier in zip(parts, multipliers, strict=True):
        # Under replacement dp-accounting takes the change for twice the norm of a record.
        doubled = 2 if replacement and part.touched == 0 else 1
        if part.rate == 1:
            # Gaussian releases one after the other are one with less noise.
            accountant.compose(dp_accounting.GaussianDpEvent(doubled * multiplier / part.steps**0.5))
        else:
            step = dp_accounting.PoissonSampledDpEvent(part.rate, dp_accounting.GaussianDpEvent(multiplier))
            accountant.compose(step, part.steps)
    return float(accountant.get_epsilon(delta))


def rdp_of(
    parts: Sequence[Releases], multipliers: Sequence[float], delta: float, relation: NeighboringRelation
) -> float:
    """What the parts together spend at δ by Rényi DP."""
    from dp_accounting.rdp import rdp_privacy_accountant as rdp
    from opacus.accountants.analysis.rdp import compute_rdp

    orders = np.asarray(rdp.DEFAULT_RDP_ORDERS, np.float64)
    total = np.zeros_like(orders)
    for part, multiplier in zip(parts, multipliers, strict=True):
        if part.touched == 0 and part.rate == 1:
            step = orders / (2 * multiplier**2)
        elif part.touched == 1 and relation == "node-removal":
            step = compute_rdp(q=part.rate, noise_multiplier=multiplier, steps=1, orders=orders)
        else:
            step = _changed_samples(orders, multiplier, part.rate, part.touched)
        # Rounding may leave a divergence just below 0.
        total = total + part.steps * np.maximum(step, 0.0)
    finite = np.isfinite(total)
    epsilon, _ = rdp.compute_epsilon(orders[finite], total[finite], delta)
    return float(epsilon)


def _changed_samples(
    orders: NDArray[np.float64], multiplier: float, rate: float, touched: int
) -> NDArray[np.float64]:
    """Rényi DP of a step in which up to ``touched`` samples are others, each by at most twice its norm."""
    if touched > MOST_TOUCHED:
        raise CalibrationError(
            f"a neighbour that changes {touched:,} samples cannot be accounted: lower max_degree"
        )
    changed = np.arange(touched + 1)
    weights = binom.logpmf(changed, touched, rate)
    exponents = orders[:, None] * (orders[:, None] - 1) * (2 * changed) ** 2 / (2 * multiplier**2)
    bound: NDArray[np.float64] = logsumexp(weights + exponents, axis=1) / (orders - 1)
    return bound
