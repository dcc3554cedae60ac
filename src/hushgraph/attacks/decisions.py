"""What an attack said of people or pairs that are members or not, and how right it was."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, rankdata

from hushgraph.attacks.intervals import Interval, share


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
            raise ValueError("truth must have cases of both kinds: an attack is told apart by both")

    @property
    def accuracy(self) -> Interval:
        """How often it is right where half of the cases are of either kind: the mean over both kinds."""
        found, alarms = self._found_and_alarms()
        half = (found.high - found.low + alarms.high - alarms.low) / 4
        value = (1 + found.value - alarms.value) / 2
        return Interval(value, max(0.0, value - half), min(1.0, value + half))

    @property
    def advantage(self) -> Interval:
        """2 (accuracy - ½): 0 for guessing, 1 for knowing (Yeom et al. 2018)."""
        right = self.accuracy
        return Interval(*(2 * one - 1 for one in (right.value, right.low, right.high)))

    @property
    def auc(self) -> Interval:
        """The chance that a member scores higher than another, ties counted half; DeLong's interval."""
        yes, no = self.scores[self.truth], self.scores[~self.truth]
        ranks = rankdata(np.concatenate([yes, no]))
        above = (ranks[: yes.size] - rankdata(yes)) / no.size
        below = 1 - (ranks[yes.size :] - rankdata(no)) / yes.size
        value = float(above.mean())
        variance = sum(float(one.var(ddof=1)) / one.size for one in (above, below) if one.size > 1)
        half = float(norm.ppf(0.975)) * math.sqrt(variance)
        return Interval(value, max(0.0, value - half), min(1.0, value + half))

    def tpr_at(self, fpr: float) -> Interval:
        """The share of members found at a threshold that so few others exceed.

        With fewer others than 1 / fpr, at one that nobody else exceeds.
        """
        if not 0 <= fpr <= 1:
            raise ValueError(f"fpr must be between 0 and 1, got {fpr}")
        others = np.sort(self.scores[~self.truth])[::-1]
        allowed = math.floor(fpr * others.size + 1e-9)
        threshold = others[allowed] if allowed < others.size else -math.inf
        members = self.scores[self.truth]
        return share(int((members > threshold).sum()), members.size)

    def _found_and_alarms(self) -> tuple[Interval, Interval]:
        found, alarms = self.said[self.truth], self.said[~self.truth]
        return share(int(found.sum()), found.size), share(int(alarms.sum()), alarms.size)

    def __str__(self) -> str:
        return f"{self.attack}: accuracy {self.accuracy}, AUC {self.auc}, found at 1 % {self.tpr_at(0.01)}"
