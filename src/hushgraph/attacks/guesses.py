"""What an attack guessed of people's values, and how much better that is than the most common one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushgraph.attacks.intervals import Interval, share
from hushgraph.attacks.nothing_to_ask import NothingToAskError

ALL_THE_SAME = "truth is the same of everybody who is asked about: there is nothing to guess"


@dataclass(frozen=True, slots=True, eq=False)
class Guesses:
    """An attack that names a value: which class, which attribute does this person have?

    Attributes:
        attack: its name.
        guessed: the value that it named, one a person.
        truth: the value that they have.
        naive: how often somebody is right who knows nothing of a person: the share of the most common value.
    """

    attack: str
    guessed: NDArray[np.int64]
    truth: NDArray[np.int64]
    naive: float

    def __post_init__(self) -> None:
        if self.guessed.shape != self.truth.shape or self.truth.ndim != 1 or self.truth.size == 0:
            raise ValueError("guessed and truth must be two lists of one length, of at least one person")
        if not 0 <= self.naive <= 1:
            raise ValueError(f"naive must be a share, got {self.naive}")
        if self.naive == 1:
            raise NothingToAskError(ALL_THE_SAME)

    @property
    def accuracy(self) -> Interval:
        """How often the attack is right."""
        return share(int((self.guessed == self.truth).sum()), self.truth.size)

    @property
    def advantage(self) -> Interval:
        """How much more often than the naive guess, as a share of what is left to gain."""
        left, right = 1 - self.naive, self.accuracy
        return Interval(*((one - self.naive) / left for one in (right.value, right.low, right.high)))

    def __str__(self) -> str:
        return f"{self.attack}: accuracy {self.accuracy}, where the most common value is {self.naive:.3f}"
