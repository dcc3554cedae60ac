"""What two neighbour lists say together about a friendship."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.mechanisms.neighbour_lists import NeighbourLists

Rule = Literal["either", "both", "mean"]


@dataclass(frozen=True, slots=True, eq=False)
class Friendships:
    """Pairs of people of whom at least one named the other in a randomised list.

    Every friendship of an undirected graph stands in two lists, each entry of which was flipped with
    probability p. Pairs that nobody named have no vote; they are not stored.

    Attributes:
        edges: the pairs, ``u < v``, sorted, int64 (2, M).
        votes: how many of the two named the other, 1 or 2.
        num_people: n.
        flip_probability: p.
    """

    edges: NDArray[np.int64]
    votes: NDArray[np.int64]
    num_people: int
    flip_probability: float

    @classmethod
    def reported(cls, lists: NeighbourLists, flip_probability: float) -> Friendships:
        """From the lists as they were reported."""
        owner, named = lists.pairs
        people = lists.num_people
        pair = np.minimum(owner, named) * people + np.maximum(owner, named)
        pairs, votes = np.unique(pair, return_counts=True)
        return cls(np.stack(np.divmod(pairs, people)), votes, people, flip_probability)

    def kept(self, rule: Rule) -> NDArray[np.int64]:
        """The pairs that count as friends: ``"either"`` named the other, or ``"both"`` did."""
        _check.choice(rule, "rule", ("either", "both"))
        return self.edges[:, self.votes >= (1 if rule == "either" else 2)]

    def estimate(self, rule: Rule) -> tuple[NDArray[np.float64], float]:
        """An unbiased estimate of whether a pair are friends: of each stored pair, and of all the others.

        ``"either"`` and ``"both"`` look at whether the pair is kept by that rule; ``"mean"`` averages the
        estimates from the two entries. Of strangers, who most pairs are, ``"both"`` has the least variance;
        of friends, ``"either"`` has.
        """
        p = self.flip_probability
        seen = {"either": np.array([0, 1, 1]), "both": np.array([0, 0, 1]), "mean": np.array([0, 0.5, 1])}
        answer = seen[_check.choice(rule, "rule", get_args(Rule))]
        # The mean of the answer for strangers and for friends: votes are binomial with p and with 1 - p.
        chances = np.array([(1 - p) ** 2, 2 * p * (1 - p), p**2])
        strangers, friends = chances @ answer, chances[::-1] @ answer
        values = (answer - strangers) / (friends - strangers)
        return values[self.votes], float(values[0])

    def total(self, rule: Rule = "mean") -> float:
        """An unbiased estimate of the number of friendships."""
        stored, other = self.estimate(rule)
        pairs = self.num_people * (self.num_people - 1) // 2
        return float(stored.sum() + other * (pairs - stored.size))

    def posterior(self, density: float | None = None) -> NDArray[np.float64]:
        """The probability that each stored pair are friends, given both answers.

        Args:
            density: the share of all pairs who are friends; by default as estimated from the reports.
        """
        pairs = self.num_people * (self.num_people - 1) / 2
        if density is None:
            density = min(1.0, max(0.0, self.total() / pairs))
        prior, p = _check.fraction(density, "density"), self.flip_probability
        friends = prior * (1 - p) ** self.votes * p ** (2 - self.votes)
        strangers = (1 - prior) * p**self.votes * (1 - p) ** (2 - self.votes)
        either: NDArray[np.float64] = friends / np.maximum(friends + strangers, np.finfo(float).tiny)
        return either
