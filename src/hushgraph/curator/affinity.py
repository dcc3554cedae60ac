"""Whether friends are alike: a few whole numbers that one person changes by little, and what follows.

A graph may be torn by one hub, so that averages over friendships protect nobody. A matching may not: the most
friendships of a kind that can be picked so that nobody is in two of them changes by one at most when a
person, whoever it is, comes, goes or becomes another.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.sparse.csgraph import maximum_bipartite_matching

from hushgraph.curator.ballot_rows import noise_probabilities
from hushgraph.mechanisms.randomness import Random, words

# Whoever asks for two halves of the people gets the same ones.
HALVES_SEED = 20_250_000
# The share of friendships that are looked at, so that matchings stay far from everybody.
LOOKED_AT = 0.5
# Above this share of matched people a matching does not tell how many friendships there are.
FULL = 0.95
# Fewer friends of a kind than this are not told from none.
LEAST = 0.01


def matched(
    edges: NDArray[np.int32],
    labels: NDArray[np.int64],
    train: NDArray[np.int64],
    classes: int,
    rng: Random,
) -> NDArray[np.int64]:
    """How many of those who train are of each class; and two matchings of friendships between two halves.

    The first is of friends of the same class, the second of friends of different ones: of those who train,
    and of a share of their friendships, each picked by a word of its own.
    """
    known = np.full(len(labels), -1, np.int64)
    known[train] = labels[train]
    half = np.random.default_rng(HALVES_SEED).random(len(labels)) < 0.5
    counts = (known[edges] >= 0).all(axis=0) & (half[edges[0]] != half[edges[1]])
    pairs = edges[:, counts]
    pairs = pairs[:, words(rng, pairs.shape[1]) < np.uint64(LOOKED_AT * 2**64)]
    one, other = np.where(half[pairs[0]], pairs, pairs[::-1])
    alike = known[one] == known[other]
    sizes = [_matching(one[kind], other[kind], len(labels)) for kind in (alike, ~alike)]
    return np.array([*np.bincount(known[known >= 0], minlength=classes), *sizes], np.int64)


def _matching(one: NDArray[np.int32], other: NDArray[np.int32], people: int) -> int:
    """The most pairs of which no two share a person."""
    pairs = sp.csr_matrix((np.ones(one.size, np.int8), (one, other)), shape=(people, people))
    return int((maximum_bipartite_matching(pairs, perm_type="column") >= 0).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Affinity:
    """How friends are spread over classes, as far as is known publicly.

    Attributes:
        friends: row y is how the friends of somebody of class y are spread (c, c).
        degree: how many friends people have, about.
        same: the share of friendships between people of one class.
    """

    friends: NDArray[np.float64]
    degree: float
    same: float

    @classmethod
    def public(cls, same: float, classes: int, degree: float) -> Affinity:
        """From a share of friends of one's own class that everybody knows."""
        friends = np.full((classes, classes), (1 - same) / max(1, classes - 1))
        np.fill_diagonal(friends, same)
        return cls(friends / friends.sum(1, keepdims=True), degree, same)

    @classmethod
    def told(cls, noisy: NDArray[np.int64], people: int, deviation: float = 0.0) -> Affinity:
        """From what was released of so many people who train, with so much noise: post-processing.

        What is taken is the least that the matchings may say, each of them an error off: noise must not pass
        for friends who are alike. Where both hold nearly everybody, or next to nobody, nothing is known, and
        the classes of friends are what classes are anyway.
        """
        *frequencies, alike, unlike = noisy.astype(float)
        sizes = np.maximum(frequencies, 1.0)
        sizes /= sizes.sum()
        within, across = (_mean_degree(2 * number / people) for number in (alike, unlike))
        degree = 2 * (within + across) / LOOKED_AT
        chance = np.square(sizes).sum()
        errors = [math.sqrt(deviation**2 + max(number, 0.0)) for number in (alike, unlike)]
        lifts = [
            _lift(2 * (alike + sign * errors[0]) / people, 2 * (unlike - sign * errors[1]) / people, chance)
            for sign in (-1, 1)
        ]
        known = min(within, across) < _mean_degree(1.0)
        lift = max(lifts[0], min(1.0, lifts[1])) if known else 1.0
        friends = np.tile(sizes, (sizes.size, 1))
        friends[np.diag_indices(sizes.size)] *= lift
        friends /= friends.sum(1, keepdims=True)
        return cls(friends, degree, float(sizes @ np.diag(friends)))

    def received(self, votes: int, voting: float, told: float) -> float:
        """How many votes a queried person gets, about; given the shares of those who vote and are told."""
        others = self.degree * told
        return self.degree * voting * min(1.0, votes / (1 + others))

    def separation(self, received: float, rate: float) -> float:
        """How far a noisy row tells classes apart: the mean divergence, in nats, between two of them."""
        classes = len(self.friends)
        counts, reach = np.arange(200), 400
        noise = noise_probabilities(rate, reach)
        means = np.minimum(received * self.friends, 100.0)
        values = np.unique(means.round(6))
        pmf = _poisson(counts, values)
        seen = np.array([np.convolve(one, noise) for one in pmf]).clip(min=1e-300)
        place = np.searchsorted(values, means.round(6))
        logs = np.log(seen)
        cross = seen @ logs.T
        divergence = np.diag(cross)[:, None] - cross
        total = sum(divergence[place[:, None, j], place[None, :, j]] for j in range(classes))
        return float(np.sum(total) / max(1, classes * (classes - 1)))


def _lift(alike: float, unlike: float, chance: float) -> float:
    """How many times as often people of one class are friends."""
    within, across = _mean_degree(alike), _mean_degree(unlike)
    return max(within, LEAST) / chance * (1 - chance) / max(across, LEAST)


def _poisson(counts: NDArray[np.int64], means: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.stats import poisson

    probabilities: NDArray[np.float64] = poisson.pmf(counts, means[:, None])
    return probabilities


def _mean_degree(share: float) -> float:
    """The mean degree of a random graph of which so many people are matched."""
    least = 1e-9
    if share <= _matched_share(least):
        return 0.0
    return float(brentq(lambda mean: _matched_share(mean) - min(share, FULL), least, 40.0))


def _matched_share(mean: float) -> float:
    """Of a random graph, how many people are in its largest matching (Karp & Sipser 1981)."""
    low = 0.0
    for _ in range(500):
        low, before = mean * np.exp(-mean * np.exp(-low)), low
        if abs(low - before) < 1e-12:
            break
    high = mean * np.exp(-low)
    return float(2 - (low + high + low * high) / mean)
