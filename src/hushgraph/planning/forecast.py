"""From a few simulated campaigns to an accuracy, with an interval, at any budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t

from hushgraph.planning.places import Numbers
from hushgraph.planning.theory import label_information

# Of the intervals.
CONFIDENCE = 0.9
# By how much real labels differ from drawn ones, as a deviation of the accuracy; see docs/planning.md.
DISCREPANCY = 0.025


class Forecast(NamedTuple):
    """A test accuracy, and an interval that holds that of one campaign nine times in ten."""

    accuracy: float
    low: float
    high: float

    @classmethod
    def of(cls, accuracies: ArrayLike, beside: ArrayLike = ()) -> Forecast:
        """From two draws or more, which vary by themselves, and the real one beyond them.

        So few tell little of how much they vary: where the variances ``beside`` them are larger, their mean
        is taken.
        """
        values, near = np.asarray(accuracies, np.float64), np.asarray(beside, np.float64)
        pooled = np.append(near, values.var(ddof=1))
        variance = max(pooled[-1], pooled.mean())
        quantile = t.ppf((1 + CONFIDENCE) / 2, (values.size - 1) * pooled.size)
        mean = float(values.mean())
        half = float(quantile) * math.sqrt(variance * (1 + 1 / values.size) + DISCREPANCY**2)
        return cls(mean, max(mean - half, 0.0), min(mean + half, 1.0))


def budgets_between(least: float, most: float, shares: ArrayLike, count: int) -> list[float]:
    """Budgets of a label from one to another, in even steps of the logarithm of what a report says."""
    if count < 2 or most <= least * 1.001:
        return [most]
    budgets = np.geomspace(least, most, 400)
    told = [math.log(label_information(epsilon, shares)) for epsilon in budgets]
    inside = np.interp(np.linspace(told[0], told[-1], count)[1:-1], told, budgets)
    return [least, *inside.tolist(), most]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Accuracy as a rising function of what a report of a label says, from simulations at some budgets.

    Attributes:
        shares: of the classes.
        budgets: of a label, rising; the last is infinite.
        accuracies: of each draw at each budget, (draws, budgets).
    """

    shares: Numbers
    budgets: Sequence[float]
    accuracies: Numbers

    def at(self, epsilon: float) -> Forecast:
        """The forecast at a budget, by monotone cubic interpolation; at the ends it stays what it is."""
        return Forecast(*(min(max(self._interpolated(end, epsilon), 0.0), 1.0) for end in self._ends()))

    def _ends(self) -> tuple[Numbers, ...]:
        # Neighbouring budgets vary alike; without noise draws vary the least, and stand for themselves.
        spread, finite = self.accuracies.var(axis=0, ddof=1), range(len(self.budgets) - 1)
        near = [
            [two for two in (one - 1, one + 1) if one in finite and two in finite]
            for one in range(len(self.budgets))
        ]
        forecasts = [
            Forecast.of(column, spread[two]) for column, two in zip(self.accuracies.T, near, strict=True)
        ]
        return tuple(rising(end) for end in np.array(forecasts).T)

    def _interpolated(self, values: Numbers, epsilon: float) -> float:
        from scipy.interpolate import PchipInterpolator

        # Beyond some ε a report says all there is to say, to the last bit: the first such budget speaks.
        told, first = np.unique(
            [math.log(label_information(budget, self.shares)) for budget in self.budgets], return_index=True
        )
        if told.size == 1:
            return float(values[0])
        here = min(max(math.log(label_information(epsilon, self.shares)), told[0]), told[-1])
        return float(PchipInterpolator(told, values[first])(here))


def rising(values: Numbers) -> Numbers:
    """The mean of the least rising sequence above and the largest one below.

    >>> rising(np.array([0.1, 0.4, 0.2, 0.5]))
    array([0.1, 0.3, 0.3, 0.5])
    """
    above = np.maximum.accumulate(values)
    below = np.minimum.accumulate(values[::-1])[::-1]
    middle: Numbers = (above + below) / 2
    return middle
