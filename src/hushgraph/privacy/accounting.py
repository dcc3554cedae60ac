"""How much noise a budget asks for, by dp-accounting; a calibration that fails is an error, never a zero.

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
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import binom

from hushgraph.privacy.relations import NeighboringRelation

# Losses are rounded up to multiples of this: coarser is faster and spends a little more.
GRID_OF_LOSSES = 1e-3
LARGEST_BY_PLD = 100.0
MOST_TOUCHED = 100_000
LARGEST_MULTIPLIER = 2.0**30
# Factors are looked for between e^-20 and e^20.
FURTHEST = 20.0


class CalibrationError(ArithmeticError):
    """No noise was found that keeps the budget; nothing was released."""


@dataclass(frozen=True, slots=True)
class Part:
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


def accountant_of(parts: Sequence[Part]) -> str:
    """Which accountant these parts need: ``"PLD"`` or ``"RDP"``."""
    return "RDP" if any(part.touched > 1 for part in parts) else "PLD"


@lru_cache(maxsize=256)
def epsilon_of(
    parts: tuple[Part, ...], multipliers: tuple[float, ...], delta: float, relation: NeighboringRelation
) -> float:
    """What the parts together spend at δ."""
    if not all(multiplier > 0 for multiplier in multipliers):
        return math.inf
    by_rdp = _epsilon_by_rdp(parts, multipliers, delta, relation)
    # A bound in any case; so large a loss is not worth a finer one, whose grid would grow with it.
    if accountant_of(parts) == "RDP" or by_rdp > LARGEST_BY_PLD:
        return by_rdp
    return _epsilon_by_pld(parts, multipliers, delta, relation)


@lru_cache(maxsize=256)
def calibrate(
    parts: tuple[Part, ...],
    shares: tuple[float, ...],
    epsilon: float,
    delta: float,
    relation: NeighboringRelation,
) -> tuple[float, ...]:
    """The noise multiplier of each part, so that all of them together are (ε, δ)-DP.

    The shares set the proportions: each part's noise is a common factor times what it would need to spend its
    share alone. Composition is better than the sum of its parts, so that the factor is below 1.
    """
    alone = [_alone(part, share, delta, relation) for part, share in zip(parts, shares, strict=True)]
    factor = _common_factor(parts, alone, epsilon, delta, relation)
    multipliers = tuple(factor * multiplier for multiplier in alone)
    spent = epsilon_of(parts, multipliers, delta, relation)
    if not (spent <= epsilon and all(0 < multiplier < math.inf for multiplier in multipliers)):
        raise CalibrationError(
            f"no noise was found that keeps ε = {epsilon:g} at δ = {delta:g}; what was found would spend"
            f" {spent:g}"
        )
    return multipliers


def _common_factor(
    parts: tuple[Part, ...],
    alone: Sequence[float],
    epsilon: float,
    delta: float,
    relation: NeighboringRelation,
) -> float:
    """The factor that makes what all parts spend ε, a tenth of a percent on the safe side."""

    def excess(log_factor: float) -> float:
        multipliers = tuple(math.exp(log_factor) * multiplier for multiplier in alone)
        spent = epsilon_of(parts, multipliers, delta, relation)
        return math.log(max(spent, 1e-300) / epsilon)

    low, high = -1.0, 1.0
    while excess(high) > 0 and high < FURTHEST:
        low, high = high, high + 1
    while excess(low) < 0 and low > -FURTHEST:
        low, high = low - 1, low
    if not excess(low) >= 0 >= excess(high):
        raise CalibrationError(f"no amount of noise was found that spends ε = {epsilon:g} at δ = {delta:g}")
    return math.exp(brentq(excess, low, high, xtol=5e-4) + 1e-3)


def _alone(part: Part, share: float, delta: float, relation: NeighboringRelation) -> float:
    """The noise with which a part spends its share alone, a little on the safe side."""

    def fits(multiplier: float) -> bool:
        return _epsilon_by_rdp([part], [multiplier], delta, relation) <= share

    high = 1.0
    while not fits(high) and high < LARGEST_MULTIPLIER:
        high *= 2
    low = high / 2
    while fits(low) and low > 1 / LARGEST_MULTIPLIER:
        low, high = low / 2, low
    if not fits(high) or fits(low):
        raise CalibrationError(f"no amount of noise was found with which {part.name} spends {share:g}")
    while high > low * (1 + 1e-4):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def _epsilon_by_pld(
    parts: Sequence[Part], multipliers: Sequence[float], delta: float, relation: NeighboringRelation
) -> float:
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    replacement = relation == "node-replacement"
    theirs = dp_accounting.NeighboringRelation
    accountant = PLDAccountant(theirs.REPLACE_ONE if replacement else theirs.REPLACE_SPECIAL, GRID_OF_LOSSES)
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


def _epsilon_by_rdp(
    parts: Sequence[Part], multipliers: Sequence[float], delta: float, relation: NeighboringRelation
) -> float:
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
        total = total + part.steps * step
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
