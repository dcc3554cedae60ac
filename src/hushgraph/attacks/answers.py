"""What an attack says before anybody tells it the truth; judged, it becomes a measurement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph.attacks.decisions import Decisions
from hushgraph.attacks.guesses import Guesses


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Yes or no, one for each person or pair that was asked about.

    Attributes:
        attack: its name.
        scores: how much speaks for yes.
        said: yes or no.
    """

    attack: str
    scores: NDArray[np.float64]
    said: NDArray[np.bool_]

    def judged(self, truth: ArrayLike) -> Decisions:
        """How right they are."""
        told = np.asarray(truth)
        if told.dtype != bool:
            raise ValueError(f"truth must be True or False of each case, got {told.dtype}")
        return Decisions(self.attack, self.scores, self.said, told)


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A value, one for each person who was asked about."""

    attack: str
    guessed: NDArray[np.int64]

    def judged(self, truth: ArrayLike) -> Guesses:
        """How right they are, beside whoever always names the most common value of these people."""
        values = np.asarray(truth, np.int64)
        if values.min(initial=0) < 0:
            raise ValueError("truth must be values from 0 on: leave out people of whom it is not known")
        naive = float(np.bincount(values).max(initial=0) / max(1, values.size))
        return Guesses(self.attack, self.guessed, values, naive)


def most_likely(attack: str, scores: NDArray[np.floating], share: float) -> Answers:
    """Says yes of those with the highest scores, as many as the attacker expects; and of equal ones some
    from everywhere.

    >>> most_likely("largest", np.array([3.0, 1.0, 2.0, 0.0]), share=0.5).said.tolist()
    [True, False, True, False]
    """
    if not 0 < share < 1:
        raise ValueError(f"share must be between 0 and 1, got {share}")
    values = np.asarray(scores, np.float64)
    scattered = np.arange(values.size) * 2_654_435_761 % 2**32
    said = np.zeros(values.size, bool)
    said[np.lexsort((scattered, -values))[: round(share * values.size)]] = True
    return Answers(attack, values, said)
