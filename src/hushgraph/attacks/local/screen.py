"""What a screen for fake people says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check


@dataclass(frozen=True, slots=True, eq=False)
class Screen:
    """How odd each of several things is that reports show: classes, columns, groups or people.

    Attributes:
        name: what was looked at.
        p_values: how often, among honest people, any of them all is at least as odd; one a thing.
        assumes: what is taken to be true of honest people beside the mechanism.
    """

    name: str
    p_values: NDArray[np.float64]
    assumes: str = "nothing"

    @property
    def p_value(self) -> float:
        """Of the oddest."""
        return float(self.p_values.min())

    def noticed(self, false_alarm: float) -> NDArray[np.int64]:
        """The numbers of those that cry out, the oddest first.

        Among honest people there are any with a probability of ``false_alarm`` at most.
        """
        _check.fraction(false_alarm, "false_alarm")
        order = np.argsort(self.p_values, kind="stable")
        return order[self.p_values[order] <= false_alarm]

    def __str__(self) -> str:
        return f"{self.name}: p = {self.p_value:.3g}, if of honest people {self.assumes} is assumed"


def monte_carlo(found: NDArray[np.float64], oddest: NDArray[np.float64]) -> NDArray[np.float64]:
    """p-values of what was found, beside the oddest of each of some draws of honest reports.

    Exact for any number of draws: what was found is one draw more, and among honest people any is the oddest
    alike.
    """
    above = oddest.size - np.searchsorted(np.sort(oddest), found - 1e-9)
    return np.asarray((1 + above) / (1 + oddest.size), np.float64)
