"""What two neighbour lists say together about a friendship."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.mechanisms.neighbor_lists import NeighborLists

Rule = Literal["either", "both", "mean"]
PairValue = Callable[[NDArray[np.bool_], NDArray[np.float64]], NDArray[np.float64]]
"""Of pairs, given whether each end sent a list and its p, both (2, pairs)."""
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
        lists: NeighborLists,
        flip_probability: float | NDArray[np.float64],
        answered: NDArray[np.bool_] | None = None,
    ) -> Friendships:
        """From the lists as they were reported, by those who ``answered``: everybody, if it is not given."""
        people = lists.num_people
        answered = np.ones(people, bool) if answered is None else np.asarray(answered)
        if answered.dtype != bool or answered.shape != (people,):
            raise ValueError(f"answered must be bool of shape ({people},), got {answered.shape}")
        owner, name = lists.pairs
        if not answered[owner].all():
            raise ValueError("there is a list of somebody who did not answer")
        edges, _ = lists.named_pairs()
        there = edges * people + edges[::-1]
        return cls(edges, np.isin(there, owner * people + name), answered, flip_probability)

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
        return np.asarray(self.named.sum(0))

    @property
    def lists(self) -> NDArray[np.int64]:
        """How many of each pair sent a list, 1 or 2."""
        return np.asarray(self.answered[self.edges].sum(0))

    @property
    def unanimous(self) -> NDArray[np.bool_]:
        """Which pairs every list names that could."""
        return np.asarray(self.votes == self.lists)

    @property
    def favored(self) -> NDArray[np.bool_]:
        """Which pairs are more likely to be friends after the answers than before.

        Where all have the same noise these are the unanimous ones; else a reliable list outvotes the other.
        """
        friends, strangers = self._likelihoods
        return friends > strangers

    def kept(self, rule: Rule) -> NDArray[np.int64]:
        """The pairs that count as friends: ``"either"`` named the other, or ``"both"`` who were asked did."""
        _check.choice(rule, "rule", ("either", "both"))
        return self.edges if rule == "either" else self.edges[:, self.unanimous]

    def estimate(self, rule: Rule) -> NDArray[np.float64]:
        """An unbiased estimate of whether each stored pair are friends.

        ``"either"`` and ``"both"`` look at whether the pair is kept by that rule; ``"mean"`` averages the
        estimates from the two entries, by the inverse of their variances. Of strangers, who most pairs are,
        ``"both"`` has the least variance; of friends, ``"either"`` has.
        """
        return pair_estimate(rule, self.named, self.answered[self.edges], self._flips[self.edges])

    def total(self, rule: Rule = "mean") -> float:
        """An unbiased estimate of the number of friendships of which a list could tell."""
        counts, _, unnamed, beyond = self._unnamed_and_beyond(rule)
        # As if nobody had named anybody; everybody but oneself, and each pair once.
        everyone = (counts @ unnamed @ counts - counts @ np.diag(unnamed)) / 2
        return float(beyond.sum() + everyone)

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
        counts, kind, unnamed, beyond = self._unnamed_and_beyond("mean")
        named = np.bincount(self.edges.ravel(), np.tile(beyond, 2), self.num_people)
        return np.asarray((named + (unnamed @ counts - np.diag(unnamed))[kind]) * self._scale)

    def degree_prior(self) -> NDArray[np.float64]:
        """The probability that each stored pair are friends, were these drawn at random for given degrees.

        Estimated degrees are first moved towards their mean, by the share of their variance that is noise.
        """
        degrees = self.degrees
        kinds, counts, kind = self._kinds
        spread = self._of_kinds(
            kinds, lambda answered, p: 1 / np.where(answered, 1 / entry_variance(p), 0.0).sum(0)
        )
        noise = (spread @ counts - np.diag(spread))[kind] * self._scale**2
        mean = max(float(degrees.mean()), 1 / self.num_people)
        true = max(0.0, float(degrees.var() - noise.mean()))
        degrees = mean + (degrees - mean) * true / np.maximum(true + noise, np.finfo(float).tiny)
        degrees = np.maximum(degrees, mean / 10)
        return np.asarray(np.minimum(degrees[self.edges].prod(0) / degrees.sum(), LARGEST_PRIOR))

    def posterior(self, prior: float | NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The probability that each stored pair are friends, given all answers.

        The ``prior`` is of every pair or of each; by default it is the estimated density.
        """
        before = np.asarray(self.density if prior is None else prior, np.float64)
        if not ((before >= 0) & (before <= 1)).all():
            raise ValueError("prior must lie in [0, 1]")
        if_friends, if_strangers = self._likelihoods
        friends, strangers = before * if_friends, (1 - before) * if_strangers
        return np.asarray(friends / np.maximum(friends + strangers, np.finfo(float).tiny))

    @property
    def _flips(self) -> NDArray[np.float64]:
        """p of each person."""
        return np.broadcast_to(np.asarray(self.flip_probability, np.float64), self.answered.shape)

    @property
    def _likelihoods(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The probability of what was said about each pair, were they friends and were they strangers."""
        p, answered = self._flips[self.edges], self.answered[self.edges]
        friends = np.where(answered, np.where(self.named, 1 - p, p), 1.0).prod(0)
        strangers = np.where(answered, np.where(self.named, p, 1 - p), 1.0).prod(0)
        return friends, strangers

    @property
    def _kinds(self) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """The kinds of people: the p of each, how many there are, and everybody's; the last sent no list."""
        flips, kind_of_senders = np.unique(self._flips[self.answered], return_inverse=True)
        kind = np.full(self.num_people, flips.size)
        kind[self.answered] = kind_of_senders
        return np.append(flips, 0.25), np.bincount(kind, minlength=flips.size + 1), kind

    def _unnamed_and_beyond(self, rule: Rule) -> tuple[NDArray[Any], ...]:
        """The kinds' sizes and everybody's; the estimate of a pair whom nobody named, and what names add."""
        kinds, counts, kind = self._kinds
        unnamed = self._of_kinds(
            kinds, lambda answered, p: pair_estimate(rule, np.zeros_like(answered), answered, p)
        )
        return counts, kind, unnamed, self.estimate(rule) - unnamed[kind[self.edges[0]], kind[self.edges[1]]]

    @staticmethod
    def _of_kinds(kinds: NDArray[np.float64], value: PairValue) -> NDArray[np.float64]:
        """What ``value`` says of a pair of each two kinds; 0 of two who sent no list."""
        silent = kinds.size - 1
        one, other = (ends.ravel() for ends in np.indices((kinds.size, kinds.size)))
        told = (one != silent) | (other != silent)
        ends = np.stack([one, other])[:, told]
        table = np.zeros(told.size)
        table[told] = value(ends != silent, kinds[ends])
        return table.reshape(kinds.size, kinds.size)

    @property
    def _scale(self) -> NDArray[np.float64]:
        """From friends of whom a list could tell to all of them."""
        known = np.where(self.answered, self.num_people - 1, max(1, int(self.answered.sum())))
        return np.asarray((self.num_people - 1) / np.maximum(known, 1))


def entry_variance(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """The variance of the unbiased estimate from one entry; a trace where nothing is flipped."""
    return np.maximum(p * (1 - p) / np.maximum((1 - 2 * p) ** 2, np.finfo(float).tiny), np.finfo(float).tiny)


def pair_estimate(
    rule: Rule, named: NDArray[np.bool_], answered: NDArray[np.bool_], p: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The unbiased estimate of whether pairs are friends, from whether each end named the other.

    An answer a that friends give on average with f and strangers with s becomes (a - s) / (f - s). Of both
    ends (2, pairs): whether they named the other, whether they sent a list, and the p of its entries.
    """
    _check.choice(rule, "rule", get_args(Rule))
    if rule == "mean":
        precision = np.where(answered, 1 / entry_variance(p), 0.0)
        precision /= precision.max(0)
        return np.asarray(((named - p) / (1 - 2 * p) * precision).sum(0) / precision.sum(0))
    # An end that sent no list must not count: as if it never named a stranger and never denied a friend.
    of_strangers, of_friends = np.where(answered, p, 0.0), np.where(answered, p, 1.0)
    if rule == "either":
        answer, strangers, friends = named.any(0), 1 - (1 - of_strangers).prod(0), 1 - of_friends.prod(0)
    else:
        answer = (named | ~answered).all(0)
        strangers, friends = of_friends.prod(0), (1 - of_strangers).prod(0)
    return np.asarray((answer - strangers) / (friends - strangers))
