"""What two neighbour lists say together about a friendship."""

from __future__ import annotations

from dataclasses import dataclass, replace
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

    Every friendship of an undirected graph stands in two lists, or in one where only one of the two sent a
    list. Each entry was flipped with its owner's probability p. Pairs that nobody named are not stored.

    Attributes:
        edges: the pairs, ``u < v``, sorted, int64 (2, M).
        named: whether u named v, and whether v named u, bool (2, M).
        answered: who sent a list, bool (n,).
        flip_probability: p, of all alike or of each person (n,).
    """

    edges: NDArray[np.int64]
    named: NDArray[np.bool_]
    answered: NDArray[np.bool_]
    flip_probability: float | NDArray[np.float64]

    @classmethod
    def reported(
        cls,
        lists: NeighbourLists,
        flip_probability: float | NDArray[np.float64],
        answered: NDArray[np.bool_] | None = None,
    ) -> Friendships:
        """From the lists as they were reported, by those who ``answered``: everybody, if it is not given."""
        people = lists.num_people
        sent = np.ones(people, bool) if answered is None else np.asarray(answered)
        if sent.dtype != bool or sent.shape != (people,):
            raise ValueError(f"answered must be bool of shape ({people},), got {sent.shape}")
        owner, name = lists.pairs
        if not sent[owner].all():
            raise ValueError("there is a list of somebody who did not answer")
        (u, v), _ = lists.named_pairs()
        entries = owner * people + name
        named = np.stack([np.isin(there, entries) for there in (u * people + v, v * people + u)])
        return cls(np.stack([u, v]), named, sent, flip_probability)

    def select(self, pairs: NDArray[np.bool_]) -> Friendships:
        """What is said about some of the stored pairs."""
        return replace(self, edges=self.edges[:, pairs], named=self.named[:, pairs])

    @property
    def num_people(self) -> int:
        """How many people there are, n."""
        return int(self.answered.size)

    @property
    def votes(self) -> NDArray[np.int64]:
        """How many of each pair named the other, 1 or 2."""
        count: NDArray[np.int64] = self.named.sum(0)
        return count

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
        """An unbiased estimate of whether each stored pair are friends.

        ``"either"`` and ``"both"`` look at whether the pair is kept by that rule; ``"mean"`` averages the
        estimates from the two entries. Of strangers, who most pairs are, ``"both"`` has the least variance;
        of friends, ``"either"`` has.
        """
        return pair_estimate(rule, self.named, self.answered[self.edges], self._flips[self.edges])

    def total(self, rule: Rule = "mean") -> float:
        """An unbiased estimate of the number of friendships of which a list could tell."""
        beyond = self.estimate(rule) - self._unnamed(rule, self.answered[self.edges], self._flips[self.edges])
        total = float(beyond.sum())
        # As if nobody had named anybody: pairs of people who are alike in p, counted.
        flips, counts = np.unique(self._flips[self.answered], return_counts=True)
        silent = self.num_people - int(self.answered.sum())
        both = np.ones((2, 1), bool)
        for first, (p, people) in enumerate(zip(flips, counts, strict=True)):
            alone = self._unnamed(rule, np.array([[True], [False]]), np.array([[p], [p]]))
            total += float(alone[0]) * people * silent
            for second in range(first, flips.size):
                pairs = people * (people - 1) // 2 if second == first else people * counts[second]
                total += float(self._unnamed(rule, both, np.array([[p], [flips[second]]]))[0]) * pairs
        return total

    @property
    def density(self) -> float:
        """The estimated share of pairs who are friends: of one pair at least, of all at most."""
        lists = int(self.answered.sum())
        pairs = max(1, lists * (self.num_people - lists) + lists * (lists - 1) // 2)
        return min(1.0, max(1.0, self.total()) / pairs)

    @property
    def degrees(self) -> NDArray[np.float64]:
        """An unbiased estimate of everybody's number of friends, from every list that could name them.

        Of somebody who sent no list it is scaled up from those who did, as if silence had nothing to do with
        friendship.
        """
        p = self._flips
        beyond = self.estimate("mean") - self._unnamed("mean", self.answered[self.edges], p[self.edges])
        named = np.bincount(self.edges.ravel(), np.tile(beyond, 2), self.num_people)
        unnamed = np.where(self.answered, -p / (1 - 2 * p), 0.0)
        estimates: NDArray[np.float64] = (named + self._over_lists(unnamed, 1 / 2)) * self._scale
        return estimates

    def degree_prior(self) -> NDArray[np.float64]:
        """The probability that each stored pair are friends, were these drawn at random for given degrees.

        Estimated degrees are first moved towards their mean, by the share of their variance that is noise.
        """
        p, degrees = self._flips, self.degrees
        entry = np.where(self.answered, p * (1 - p) / (1 - 2 * p) ** 2, 0.0)
        noise = self._over_lists(entry, 1 / 4) * self._scale**2
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
        p, sent = self._flips[self.edges], self.answered[self.edges]
        friends = before * np.where(sent, np.where(self.named, 1 - p, p), 1.0).prod(0)
        strangers = (1 - before) * np.where(sent, np.where(self.named, p, 1 - p), 1.0).prod(0)
        after: NDArray[np.float64] = friends / np.maximum(friends + strangers, np.finfo(float).tiny)
        return after

    @property
    def _flips(self) -> NDArray[np.float64]:
        """p of each person."""
        return np.broadcast_to(np.asarray(self.flip_probability, np.float64), self.answered.shape)

    @staticmethod
    def _unnamed(rule: Rule, sent: NDArray[np.bool_], p: NDArray[np.float64]) -> NDArray[np.float64]:
        """The estimate for pairs that nobody named."""
        return pair_estimate(rule, np.zeros_like(sent), sent, p)

    def _over_lists(self, entry: NDArray[np.float64], shared: float) -> NDArray[np.float64]:
        """For each person, the sum over all others of what an entry of each list of the pair contributes.

        Args:
            entry: what an entry of each person's list contributes, 0 for those who sent none.
            shared: the factor where both sent a list.
        """
        lists, others = int(self.answered.sum()), entry.sum() - entry
        own = entry * (shared * (lists - 1) + self.num_people - lists)
        sums: NDArray[np.float64] = np.where(self.answered, own + shared * others, entry.sum())
        return sums

    @property
    def _scale(self) -> NDArray[np.float64]:
        """From friends of whom a list could tell to all of them."""
        known = np.where(self.answered, self.num_people - 1, max(1, int(self.answered.sum())))
        scale: NDArray[np.float64] = (self.num_people - 1) / np.maximum(known, 1)
        return scale


def pair_estimate(
    rule: Rule, named: NDArray[np.bool_], sent: NDArray[np.bool_], p: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The unbiased estimate of whether pairs are friends, from whether each end named the other.

    An answer a that friends give on average with f and strangers with s becomes (a - s) / (f - s).

    Args:
        rule: ``"either"``, ``"both"`` or ``"mean"``.
        named, sent, p: of both ends, (2, pairs): whether they named the other, whether they sent a list, and
            the probability that an entry of it was flipped.
    """
    _check.choice(rule, "rule", get_args(Rule))
    if rule == "mean":
        entries = np.where(sent, (named - p) / (1 - 2 * p), 0.0)
        mean: NDArray[np.float64] = entries.sum(0) / sent.sum(0)
        return mean
    # An end that sent no list must not count: as if it never named a stranger and never denied a friend.
    of_strangers, of_friends = np.where(sent, p, 0.0), np.where(sent, p, 1.0)
    if rule == "either":
        answer, strangers, friends = named.any(0), 1 - (1 - of_strangers).prod(0), 1 - of_friends.prod(0)
    else:
        answer = (named | ~sent).all(0)
        strangers, friends = of_friends.prod(0), (1 - of_strangers).prod(0)
    values: NDArray[np.float64] = (answer - strangers) / (friends - strangers)
    return values
