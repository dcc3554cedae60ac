"""Randomised response on neighbour lists."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.mechanisms import statements
from hushgraph.mechanisms.friendships import Friendships
from hushgraph.mechanisms.neighbour_lists import NeighbourLists
from hushgraph.mechanisms.randomness import WORDS, Random, checked, rarest_outcome
from hushgraph.mechanisms.rare_events import successes
from hushgraph.privacy import Guarantee

# Names that a collection may hold unless the caller allows more: 1 GiB, and a few times that in the making.
LIMIT = 1 << 27


@dataclass(frozen=True, slots=True)
class AdjacencyRandomizedResponse:
    """Warner's randomised response on every entry of a neighbour list (Solitude, Theorem 3.1).

    A person's list has one bit for each other person; each bit is flipped with probability
    p = 1 / (e^ε + 1). Lists that differ in one entry are told apart by at most e^ε, and this is reached. A
    friendship that stands in two lists is reported twice and costs 2ε. That nobody is their own friend is
    public.

    Only the flips are drawn (:func:`~hushgraph.mechanisms.rare_events.successes`): time and memory are
    those of the list that results, not of n.

    Args:
        epsilon: the budget of one entry of one list.
        limit: how many names the reports may hold; a budget that would give more is refused.

    >>> AdjacencyRandomizedResponse(epsilon=3.0).flip_probability
    0.0474...
    """

    epsilon: float
    limit: int = LIMIT

    def __post_init__(self) -> None:
        _check.keep(
            self, epsilon=_check.epsilon(self.epsilon), limit=_check.count(self.limit, "limit", minimum=1)
        )

    @property
    def guarantee(self) -> Guarantee:
        """What is protected."""
        return statements.about_neighbours(self.epsilon)

    @property
    def flip_probability(self) -> float:
        """p, the probability that an entry is answered wrongly."""
        return self._threshold / WORDS

    def probability(self, answer: bool, entry: bool) -> Fraction:
        """The exact probability of an answer about one entry, as the device draws it."""
        flipped = Fraction(self._threshold, WORDS)
        return 1 - flipped if bool(answer) == bool(entry) else flipped

    def expected_names(self, names: int, entries: int) -> float:
        """How many names reports of so many entries hold on average, where the truth holds ``names``."""
        return entries * self.flip_probability + names * (1 - 2 * self.flip_probability)

    def randomize(
        self, neighbours: ArrayLike, rng: Random, *, person: int, num_people: int
    ) -> NDArray[np.int64]:
        """What one device reports: the people whom it names, sorted.

        Args:
            neighbours: the numbers of the person's friends.
            rng: a :class:`~hushgraph.SecureRandom`, or a seeded generator in a simulation.
            person: the person's own number.
            num_people: how many people there are.
        """
        friends = _check.node_ids(neighbours, "neighbours", num_people)
        person = _check.count(person, "person")
        if person >= num_people:
            raise ValueError(f"person must lie in 0 … {num_people - 1}, got {person}")
        if (friends == person).any():
            raise ValueError("neighbours must not name the person themselves")
        # As if there were no friends: a refusal must not tell how many there are.
        self._check_fits(0, num_people - 1)
        flips = successes(num_people - 1, self._threshold, checked(rng))
        reported = np.setxor1d(np.where(friends > person, friends - 1, friends), flips, assume_unique=True)
        return reported + (reported >= person)

    def randomize_all(self, lists: NeighbourLists, rng: Random) -> NeighbourLists:
        """What everybody reports, drawn at once."""
        people = lists.num_people
        self._check_fits(lists.num_names, people * (people - 1))
        # Entry (u, v) has the number u (n - 1) + v, v counted without u: one row of coins for all lists.
        row, name = lists.pairs
        entries = row * (people - 1) + name - (name > row)
        flips = successes(people * (people - 1), self._threshold, checked(rng))
        reported = np.setxor1d(entries, flips, assume_unique=True)
        row, name = np.divmod(reported, people - 1)
        return NeighbourLists.from_pairs(row, name + (name >= row), people)

    def friendships(self, reported: NeighbourLists, answered: NDArray[np.bool_] | None = None) -> Friendships:
        """What the reports about each pair say together; without ``answered``, everybody sent a list."""
        return Friendships.reported(reported, self.flip_probability, answered)

    def estimate(self, reported: Any) -> Any:
        """The unbiased estimate of an entry from its answer, 0 or 1: (answer - p) / (1 - 2p)."""
        p = self.flip_probability
        return (np.asarray(reported, np.float64) - p) / (1 - 2 * p)

    @property
    def variance(self) -> float:
        """The variance of :meth:`estimate`, whatever the entry."""
        p = self.flip_probability
        return p * (1 - p) / (1 - 2 * p) ** 2

    @property
    def _threshold(self) -> int:
        return 0 if math.isinf(self.epsilon) else rarest_outcome(self.epsilon, 2)

    def _check_fits(self, names: int, entries: int) -> None:
        expected = self.expected_names(names, entries)
        if expected > self.limit:
            share = max(0.0, (self.limit - names) / max(1, entries - 2 * names))
            least = math.ceil(100 * math.log(1 / share - 1)) / 100 if 0 < share < 0.5 else math.inf
            enough = f"; ε = {least:g} would fit" if math.isfinite(least) else ""
            raise ValueError(
                f"ε = {self.epsilon:g} over {entries:,} entries would give about {expected:,.0f} names, more"
                f" than the limit of {self.limit:,}{enough}"
            )
