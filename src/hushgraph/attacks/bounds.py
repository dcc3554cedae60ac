"""What (ε, δ) leaves the best attacker who knows everything but one person's record.

Whoever says "yes" with probability β in one of two neighboring worlds says it with at least (β - δ) e^-ε in
the other (Wasserman & Zhou 2010; Kairouz, Oh & Viswanath 2015). All that follows is about one person, with
everything else known. An attacker who guesses somebody's label from their friends' does not use their record,
and no ε bounds that.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog


def largest_tpr(fpr: float, epsilon: float, delta: float = 0.0) -> float:
    """The largest share of members found at a share of false alarms.

    >>> round(largest_tpr(0.01, epsilon=1.0), 4)
    0.0272
    >>> largest_tpr(0.01, epsilon=float("inf"))
    1.0
    """
    _check_budget(epsilon, delta)
    if not 0 <= fpr <= 1:
        raise ValueError(f"fpr must be between 0 and 1, got {fpr}")
    if math.isinf(epsilon):
        return 1.0
    return min(1.0, math.exp(epsilon) * fpr + delta, 1 - math.exp(-epsilon) * max(0.0, 1 - delta - fpr))


def largest_advantage(epsilon: float, delta: float = 0.0) -> float:
    """The largest share of members found minus that of false alarms: 2 (accuracy - ½) if half are members.

    >>> round(largest_advantage(1.0), 4)
    0.4621
    """
    _check_budget(epsilon, delta)
    return math.tanh(epsilon / 2) + 2 * delta / (1 + math.exp(min(epsilon, 700.0)))


def largest_auc(epsilon: float, delta: float = 0.0) -> float:
    """The largest area under the curve of members found over false alarms.

    >>> largest_auc(0.0), largest_auc(float("inf")), round(largest_auc(1.0), 4)
    (0.5, 1.0, 0.7311)
    """
    _check_budget(epsilon, delta)
    return 1 - (1 - delta) ** 2 / (1 + math.exp(min(epsilon, 700.0)))


def largest_success(prior: ArrayLike, epsilon: float, delta: float = 0.0) -> float:
    """The largest chance to guess which of several values a person has, given what is known beforehand.

    Whoever guesses v with probability a_v where it is true does so with at least (a_v - δ) e^-ε where u is,
    and guesses there add up to 1: a_u + e^-ε Σ (a_v - δ) ≤ 1 over v ≠ u, for every u. This is the largest
    Σ prior_v a_v under these. Without δ some mechanism reaches it, for equal chances randomised response.

    >>> round(largest_success([0.25] * 4, epsilon=1.0), 4)  # e / (e + 3)
    0.4754
    >>> largest_success([0.9, 0.1], epsilon=1.0)  # what is known beforehand says more
    0.9
    """
    _check_budget(epsilon, delta)
    chances = np.asarray(prior, np.float64)
    if (
        chances.ndim != 1
        or chances.size == 0
        or not (chances >= 0).all()
        or not math.isclose(chances.sum(), 1)
    ):
        raise ValueError("prior must list probabilities that add up to 1")
    if math.isinf(epsilon) or chances.size == 1:
        return 1.0
    others = math.exp(-epsilon)
    limits = np.full((chances.size, chances.size), others)
    np.fill_diagonal(limits, 1.0)
    most = np.full(chances.size, 1 + others * delta * (chances.size - 1))
    return round(float(-linprog(-chances, limits, most, bounds=(0, 1)).fun), 12)


def largest_successes(priors: ArrayLike, epsilon: float) -> NDArray[np.float64]:
    """The same without δ, of many people whose values are known beforehand with ``priors`` (n, c).

    At a corner of these constraints some k values share one a, 1 / (1 + (k - 1) e^-ε), and the others have 0:
    the best k, for the k likeliest values.
    """
    _check_budget(epsilon, 0.0)
    chances = np.sort(np.asarray(priors, np.float64), axis=1)[:, ::-1]
    each = 1 / (1 + math.exp(-epsilon) * np.arange(chances.shape[1]))
    return np.asarray((chances.cumsum(1) * each).max(1))


def _check_budget(epsilon: float, delta: float) -> None:
    if not epsilon >= 0:
        raise ValueError(f"epsilon must be at least 0, got {epsilon}")
    if not 0 <= delta <= 1:
        raise ValueError(f"delta must be between 0 and 1, got {delta}")
