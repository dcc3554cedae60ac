"""What two neighbour lists say together about a friendship."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.mechanisms.neighbour_lists import NeighbourLists

Rule = Literal["either", "both", "mean"]
# The largest prior of one pair: neither degrees nor classes make friends of everybody.
LARGEST_PRIOR = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Friendships:
    """Pairs of people of whom at least one named the other in a randomised list.

    Every friendship of an undirected graph stands in two lists, each entry of which was flipped with
    probability p; in one where only one of the two sent a list. Pairs that nobody named are not stored.

    Attributes:
        edges: the pairs, ``u < v``, sorted, int64 (2, M).
        votes: how many of the two named the other, 1 or 2.
        answered: who sent a list, bool (n,).
        flip_probability: p.
    """

    edges: NDArray[np.int64]
    votes: NDArray[np.int64]
    answered: NDArray[np.bool_]
    flip_probability: float

    @classmethod
    def reported(
        cls, lists: NeighbourLists, flip_probability: float, answered: NDArray[np.bool_] | None = None
    ) -> Friendships:
        """From the lists as they were reported, by those who ``answered``: everybody, if it is not given."""
        sent = np.ones(lists.num_people, bool) if answered is None else np.asarray(answered)
        if sent.dtype != bool or sent.shape != (lists.num_people,):
            raise ValueError(f"answered must be bool of shape ({lists.num_people},), got {sent.shape}")
        if not sent[lists.pairs[0]].all():
            raise ValueError("there is a list of somebody who did not answer")
        edges, votes = lists.named_pairs()
        return cls(edges, votes, sent, flip_probability)

    @property
    def num_people(self) -> int:
        """How many people there are, n."""
        return int(self.answered.size)

    @property
    def lists(self) -> NDArray[np.int64]:
        """How many of each pair sent a list, 1 or 2."""
        both: NDArray[np.int64] = self.answered[self.edges].sum(0)
        return both

    @property
    def unanimous(self) -> NDArray[np.bool_]:
        """Which pairs every list names that could."""
        named: NDArray[np.bool_] = self.votes == self.lists
        return named

    def kept(self, rule: Rule) -> NDArray[np.int64]:
        """The pairs that count as friends: ``"either"`` named the other, or ``"both"`` who were asked did."""
        _check.choice(rule, "rule", ("either", "both"))
        return self.edges if rule == "either" else self.edges[:, self.unanimous]

    def estimate(self, rule: Rule) -> NDArray[np.float64]:
        """An unbiased estimate of whether each stored pair are friends; see :meth:`value`."""
        one, two = self.value(rule, lists=1), self.value(rule, lists=2)
        return np.where(self.lists == 1, one[1], two[self.votes])

    def value(self, rule: Rule, lists: int = 2) -> NDArray[np.float64]:
        """The unbiased estimate for a pair that 0, 1, … of so many lists name; the first is of the unnamed.

        ``"either"`` and ``"both"`` look at whether the pair is kept by that rule; ``"mean"`` averages the
        estimates from the two entries. Of strangers, who most pairs are, ``"both"`` has the least variance;
        of friends, ``"either"`` has.
        """
        p = self.flip_probability
        seen = {"either": np.array([0, 1, 1]), "both": np.array([0, 0, 1]), "mean": np.array([0, 0.5, 1])}
        answer = seen[_check.choice(rule, "rule", get_args(Rule))]
        # The mean of the answer for strangers and for friends: votes are binomial with p and with 1 - p.
        chances = np.array([(1 - p) ** 2, 2 * p * (1 - p), p**2])
        if lists == 1:
            answer, chances = np.array([0, 1]), np.array([1 - p, p])
        strangers, friends = chances @ answer, chances[::-1] @ answer
        values: NDArray[np.float64] = (answer - strangers) / (friends - strangers)
        return values

    def total(self, rule: Rule = "mean") -> float:
        """An unbiased estimate of the number of friendships of which a list could tell."""
        lists, total = self.lists, float(self.estimate(rule).sum())
        for sent, pairs in enumerate(self._pairs, start=1):
            unnamed = pairs - np.count_nonzero(lists == sent)
            total += float(self.value(rule, sent)[0]) * unnamed
        return total

    @property
    def density(self) -> float:
        """The estimated share of pairs who are friends: of one pair at least, of all at most."""
        pairs = max(1, sum(self._pairs))
        return min(1.0, max(1.0, self.total()) / pairs)

    @property
    def degrees(self) -> NDArray[np.float64]:
        """An unbiased estimate of everybody's number of friends, from every list that could name them.

        Of somebody who sent no list it is scaled up from those who did, as if silence had nothing to do with
        friendship.
        """
        unnamed = np.array([0.0, self.value("mean", lists=1)[0], self.value("mean", lists=2)[0]])
        beyond = self.estimate("mean") - unnamed[self.lists]
        named = np.bincount(self.edges.ravel(), np.tile(beyond, 2), self.num_people)
        one, two = self._pairs_of_each
        estimates: NDArray[np.float64] = (named + one * unnamed[1] + two * unnamed[2]) * self._scale
        return estimates

    def degree_prior(self) -> NDArray[np.float64]:
        """The probability that each stored pair are friends, were these drawn at random for given degrees.

        Estimated degrees are first moved towards their mean, by the share of their variance that is noise.
        """
        p, degrees = self.flip_probability, self.degrees
        one, two = self._pairs_of_each
        noise = p * (1 - p) / (1 - 2 * p) ** 2 * (one + two / 2) * self._scale**2
        mean = max(float(degrees.mean()), 1 / self.num_people)
        true = max(0.0, float(degrees.var() - noise.mean()))
        degrees = mean + (degrees - mean) * true / np.maximum(true + noise, np.finfo(float).tiny)
        degrees = np.maximum(degrees, mean / 10)
        prior: NDArray[np.float64] = degrees[self.edges].prod(0) / degrees.sum()
        return np.minimum(prior, LARGEST_PRIOR)

    def posterior(self, prior: float | NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The probability that each stored pair are friends, given all answers.

        Args:
            prior: the probability before the answers, of every pair or of each; by default the estimated
                density.
        """
        before = np.asarray(self.density if prior is None else prior, np.float64)
        if not ((before >= 0) & (before <= 1)).all():
            raise ValueError("prior must lie in [0, 1]")
        p, denied = self.flip_probability, self.lists - self.votes
        friends = before * (1 - p) ** self.votes * p**denied
        strangers = (1 - before) * p**self.votes * (1 - p) ** denied
        after: NDArray[np.float64] = friends / np.maximum(friends + strangers, np.finfo(float).tiny)
        return after

    @property
    def _pairs(self) -> tuple[int, int]:
        """How many pairs there are of whom one sent a list, and of whom two did."""
        lists = int(self.answered.sum())
        return lists * (self.num_people - lists), lists * (lists - 1) // 2

    @property
    def _pairs_of_each(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """With how many people each person shares one list and two lists."""
        lists = int(self.answered.sum())
        one = np.where(self.answered, self.num_people - lists, lists)
        return one, np.where(self.answered, lists - 1, 0)

    @property
    def _scale(self) -> NDArray[np.float64]:
        """From friends of whom a list could tell to all of them."""
        known = np.maximum(sum(self._pairs_of_each), 1)
        scale: NDArray[np.float64] = (self.num_people - 1) / known
        return scale
