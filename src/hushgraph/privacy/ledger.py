"""The ledger: what each person has spent, and the refusal to spend more."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.privacy.guarantee import Guarantee

# Sums such as 0.1 + 0.2 must not be refused for the last bit of a double.
_ROUNDING = 1e-9


class BudgetExceededError(ValueError):
    """Somebody would have spent more than their limit; nothing was recorded."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger: what was answered, at what price, by how many people."""

    what: str
    epsilon: float
    delta: float
    people: int


class Ledger:
    """Adds up what each of ``people`` persons spends, over questions and over campaigns.

    >>> from hushgraph import MultiBit, RandomizedResponse
    >>> ledger = Ledger(people=3, epsilon=2.0)
    >>> ledger.spend("spring/features", MultiBit(1.0).guarantee)
    >>> ledger.spend("spring/label", RandomizedResponse(1.0).guarantee, who=[0, 1])
    >>> ledger.spent_epsilon.tolist()
    [2.0, 2.0, 1.0]
    >>> ledger.spend("summer/features", MultiBit(1.0).guarantee)
    Traceback (most recent call last):
    ...
    hushgraph.privacy.ledger.BudgetExceededError: summer/features: insufficient privacy budget for
    2 of 3 people: epsilon 3 > 2 for person 0
    """

    def __init__(self, people: int, epsilon: float, delta: float = 0.0) -> None:
        self.people = _check.count(people, "people", minimum=1)
        self.epsilon = _check.epsilon(epsilon)
        self.delta = _check.non_negative(delta, "delta")
        self.spent_epsilon: NDArray[np.float64] = np.zeros(self.people)
        self.spent_delta: NDArray[np.float64] = np.zeros(self.people)
        self.entries: list[Entry] = []

    def spend(self, what: str, guarantee: Guarantee, who: ArrayLike | None = None) -> None:
        """Records ``guarantee`` for the persons in ``who`` (all by default), or refuses for all of them."""
        persons = self.check(what, guarantee, who)
        self.spent_epsilon[persons] += guarantee.epsilon
        self.spent_delta[persons] += guarantee.delta
        self.entries.append(Entry(what, guarantee.epsilon, guarantee.delta, persons.size))

    def check(self, what: str, guarantee: Guarantee, who: ArrayLike | None = None) -> NDArray[np.int64]:
        """Raises what :meth:`spend` would raise, records nothing, and returns the persons."""
        persons = np.arange(self.people) if who is None else _check.node_ids(who, "who", self.people)
        self._refuse_overspending(what, "epsilon", self.spent_epsilon[persons] + guarantee.epsilon, persons)
        self._refuse_overspending(what, "delta", self.spent_delta[persons] + guarantee.delta, persons)
        return persons

    def remaining(self, person: int) -> float:
        """What ``person`` may still spend."""
        (person,) = _check.node_ids([person], "person", self.people)
        return max(0.0, self.epsilon - float(self.spent_epsilon[person]))

    def _refuse_overspending(
        self, what: str, name: str, totals: NDArray[np.float64], persons: NDArray[np.int64]
    ) -> None:
        limit: float = getattr(self, name)
        over = totals > limit * (1 + _ROUNDING)
        if math.isfinite(limit) and over.any():
            first = int(np.argmax(over))
            raise BudgetExceededError(
                f"{what}: insufficient privacy budget for {int(over.sum())} of {persons.size} people: "
                f"{name} {totals[first]:g} > {limit:g} for person {persons[first]}"
            )
