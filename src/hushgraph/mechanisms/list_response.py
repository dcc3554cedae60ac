"""Randomised response on neighbour lists."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.mechanisms.neighbor_lists import NeighborLists
from hushgraph.mechanisms.randomness import WORDS, Random, checked, rarest_outcome
from hushgraph.mechanisms.skip_sampling import successes
from hushgraph.mechanisms.statements import stated
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

    Only the flips are drawn (:func:`~hushgraph.mechanisms.skip_sampling.successes`): time and memory are
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
        limit = _check.count(self.limit, "limit", minimum=1)
        _check.keep(self, epsilon=_check.epsilon(self.epsilon), limit=limit)

    @property
    def guarantee(self) -> Guarantee:
        """What is protected."""
        relation = "any two neighbour lists of one person that differ in one entry"
        reason = "Warner's randomised response on every entry, Solitude Theorem 3.1"
        return stated("friendships", self.epsilon, relation, reason, "who takes part")

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

    def randomize(self, values: NeighborLists, rng: Random) -> NeighborLists:
        """What devices report, of many lists or of one, as :meth:`NeighborLists.of_person` makes it."""
        others = values.num_people - 1
        trials = values.owners.size * others
        self._check_fits(trials)
        # The list at place i has the entries from i·(n - 1) on, its owner left out: one row of coins for all.
        place = np.repeat(np.arange(values.owners.size), np.diff(values.starts))
        owner, name = values.pairs
        entries = place * others + name - (name > owner)
        flips = successes(trials, self._threshold, checked(rng))
        place, name = np.divmod(np.setxor1d(entries, flips, assume_unique=True), max(1, others))
        counts = np.bincount(place, minlength=values.owners.size)
        return NeighborLists(
            np.concatenate([[0], np.cumsum(counts)]),
            name + (name >= values.owners[place]),
            values.owners,
            values.num_people,
        )

    def estimate(self, reported: Any) -> Any:
        """The unbiased estimate of an entry from its answer, 0 or 1: (answer - p) / (1 - 2p)."""
        p = self.flip_probability
        return (np.asarray(reported, np.float64) - p) / (1 - 2 * p)

    def variance(self, values: ArrayLike) -> NDArray[np.float64]:
        """The variance of :meth:`estimate`, the same for all entries."""
        p = self.flip_probability
        return np.full(np.shape(values), p * (1 - p) / (1 - 2 * p) ** 2)

    @property
    def _threshold(self) -> int:
        return 0 if math.isinf(self.epsilon) else rarest_outcome(self.epsilon, 2)

    def _check_fits(self, entries: int) -> None:
        """Refuses lists for their noise alone: a refusal must not tell how many friends there are."""
        expected = self.expected_names(0, entries)
        if expected > self.limit:
            share = self.limit / max(1, entries)
            least = math.ceil(100 * math.log(1 / share - 1)) / 100
            raise ValueError(
                f"ε = {self.epsilon:g} over {entries:,} entries would give about {expected:,.0f} names, more"
                f" than the limit of {self.limit:,}; ε = {least:g} would fit"
            )
