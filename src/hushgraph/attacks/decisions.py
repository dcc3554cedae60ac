"""What an attack said of people or pairs that are members or not, and how right it was."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, rankdata
from scipy.stats import t as student

from hushgraph.attacks.intervals import Interval, share
from hushgraph.attacks.nothing_to_ask import NothingToAskError


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """An attack that says yes or no: is this person a member, are these two friends?

    Attributes:
        attack: its name.
        scores: how much speaks for yes, one a case.
        said: what the attacker said, who did not know the truth.
        truth: what is so.
    """

    attack: str
    scores: NDArray[np.float64]
    said: NDArray[np.bool_]
    truth: NDArray[np.bool_]

    def __post_init__(self) -> None:
        if not self.scores.shape == self.said.shape == self.truth.shape or self.scores.ndim != 1:
            raise ValueError("scores, said and truth must be three lists of one length")
        if not np.isfinite(self.scores).all():
            raise ValueError("scores must be finite")
        if self.truth.all() or not self.truth.any():
            raise NothingToAskError("truth must have cases of both kinds: an attack is told apart by both")

    @property
    def accuracy(self) -> Interval:
        """How often it is right where half of the cases are of either kind: the mean over both kinds."""
        found, alarms = self._found_and_alarms()
        ends = zip((found.value, found.low, found.high), (alarms.value, alarms.high, alarms.low), strict=True)
        return Interval(*((1 + one - other) / 2 for one, other in ends))

    @property
    def advantage(self) -> Interval:
        """2 (accuracy - ½): 0 for guessing, 1 for knowing (Yeom et al. 2018)."""
        right = self.accuracy
        return Interval(*(2 * one - 1 for one in (right.value, right.low, right.high)))

    @property
    def auc(self) -> Interval:
        """The chance that a member scores higher than another, ties counted half.

        The interval is DeLong's, by Student's distribution with Welch's degrees of freedom. Where few or all
        are told apart that has too little variance: a member and another who tell nothing are added, and the
        variance is at least that of normal scores (Hanley & McNeil 1982).
        """
        yes, no = self.scores[self.truth], self.scores[~self.truth]
        ranks = rankdata(np.concatenate([yes, no]))
        above = (ranks[: yes.size] - rankdata(yes)) / no.size
        below = 1 - (ranks[yes.size :] - rankdata(no)) / yes.size
        value = float(above.mean())
        pairs = (yes.size + 1) * (no.size + 1)
        shrunk = (value * yes.size * no.size + (pairs - yes.size * no.size) / 2) / pairs
        parts = [float(one.var(ddof=1)) / one.size if one.size > 1 else 0.25 for one in (above, below)]
        each = sum(part**2 / max(1, one.size - 1) for part, one in zip(parts, (yes, no), strict=True))
        freedom = sum(parts) ** 2 / each if each else yes.size + no.size - 1
        variance = max(sum(parts), _hanley_mcneil(shrunk, yes.size, no.size))
        half = float(student.ppf(0.975, freedom)) * math.sqrt(variance)
        return Interval(value, max(0.0, min(shrunk - half, value)), min(1.0, max(shrunk + half, value)))

    def tpr_at(self, fpr: float) -> Interval:
        """The share of members found at a threshold that so few others exceed.

        With fewer others than 1 / fpr, at one that nobody else exceeds. The threshold is as uncertain as the
        share: of these others a binomial number exceed the true one, whatever scores look like. The interval
        has half of the error for that, and half for Clopper and Pearson's at its ends. So it is its low end
        that a bound at ``fpr`` is held against, and not the share itself: of ten others whom nobody accuses,
        a quarter may be.
        """
        members, others = self.scores[self.truth], np.sort(self.scores[~self.truth])[::-1]
        found = share(_beyond(members, others, _allowed(fpr, others)), members.size).value
        least, most = binom.ppf([0.0125, 0.9875], others.size, fpr).astype(int)
        low = _beyond(members, others, least - 1) if least else 0
        high = _beyond(members, others, most)
        return Interval(found, share(low, members.size, 0.975).low, share(high, members.size, 0.975).high)

    def _found_and_alarms(self) -> tuple[Interval, Interval]:
        found, alarms = self.said[self.truth], self.said[~self.truth]
        return share(int(found.sum()), found.size), share(int(alarms.sum()), alarms.size)

    def __str__(self) -> str:
        return f"{self.attack}: accuracy {self.accuracy}, AUC {self.auc}, found at 1 % {self.tpr_at(0.01)}"


def _allowed(fpr: float, others: NDArray[np.float64]) -> int:
    """How many others may exceed a threshold."""
    if not 0 <= fpr <= 1:
        raise ValueError(f"fpr must be between 0 and 1, got {fpr}")
    return math.floor(fpr * others.size + 1e-9)


def _beyond(scores: NDArray[np.float64], others: NDArray[np.float64], allowed: int) -> int:
    """How many scores exceed the threshold that so many of the others may, who fall."""
    return int((scores > others[allowed]).sum()) if allowed < others.size else scores.size


def _hanley_mcneil(area: float, yes: int, no: int) -> float:
    """The variance of an area between normal scores."""
    two_members, two_others = area / (2 - area) - area**2, 2 * area**2 / (1 + area) - area**2
    return (area * (1 - area) + (yes - 1) * two_members + (no - 1) * two_others) / (yes * no)
