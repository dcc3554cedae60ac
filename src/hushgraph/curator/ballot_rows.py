"""Ballots: who votes in whose row, and what a noisy row says of its owner's class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import poisson

from hushgraph.curator.whole_noise import FINE

# How many votes somebody may expect; each is as likely as the others.
RATES = 2.0 ** np.arange(-1, 7)
# Rows with larger numbers are shrunk to them: they say all that there is to say.
LARGEST_COUNT = 64
# The share of people whose friends say nothing of them. Friends of one circle are alike in more than the
# class: without it, many votes would be taken for more than they say.
ODD = 0.1

Pairs = tuple[NDArray[np.int32], NDArray[np.int32]]
"""Who votes, and in whose row."""


def between(edges: NDArray[np.int32], queried: NDArray[np.bool_]) -> Pairs:
    """The friendships of which one end is queried: the other end may vote. All others count for nothing."""
    asked = queried[edges]
    voters = np.where(asked[0], edges[1], edges[0])
    told = np.where(asked[0], edges[0], edges[1])
    counts = asked[0] != asked[1]
    return voters[counts], told[counts]


def ballots(pairs: Pairs, votes: int, priorities: NDArray[np.uint64]) -> Pairs:
    """What is left when everybody votes for no more than ``votes`` queried friends, by random priorities.

    A voter's choice is among their own queried friends. So somebody who is not queried changes nobody else's,
    whoever and how many their friends are.
    """
    voters, told = pairs
    order = np.lexsort((priorities, voters))
    voters, told = voters[order], told[order]
    first = np.arange(voters.size) - np.searchsorted(voters, voters) < votes
    return voters[first], told[first]


def tallied(pairs: Pairs, classes_voted: NDArray[np.int64], people: int, classes: int) -> NDArray[np.int64]:
    """How many vote for each class in each person's row."""
    voters, told = pairs
    rows = np.zeros((people, classes), np.int64)
    np.add.at(rows, (told, classes_voted[voters]), 1)
    return rows


def noise_probabilities(rate: float, reach: int) -> NDArray[np.float64]:
    """Of the noise -reach … reach; without noise of 0 alone."""
    falls = np.exp(-rate / FINE)
    probabilities: NDArray[np.float64] = (
        (1 - falls) / (1 + falls) * falls ** np.abs(np.arange(-reach, reach + 1))
    )
    return probabilities


def evidence(rows: NDArray[np.int64], rate: float, friends: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a noisy row says of its owner's class, as logarithms that may be added to others: post-processing.

    Votes for class j, of somebody of class y, are Poisson with mean λ · friends[y, j], where ``friends[y]``
    is how the friends of somebody of class y are spread over the classes; λ is one of a few, mixed with
    equal weights. The noise is known. A share of the people is odd: whatever their class, their rows say
    nothing.

    A row is read by itself: not even where sums are cut off depends on the other rows, which are told to
    others.
    """
    if not rows.size:
        return np.zeros(rows.shape)
    largest = np.abs(rows).max(axis=1, keepdims=True)
    rows = np.rint(rows * np.minimum(1.0, LARGEST_COUNT / np.maximum(largest, 1))).astype(np.int64)
    low, high = -LARGEST_COUNT, LARGEST_COUNT
    counts = np.arange(2 * LARGEST_COUNT + 1)
    reach = high - low + counts.size
    noise = noise_probabilities(rate, reach)
    hidden = noise[np.arange(low, high + 1)[None, :] - counts[:, None] + reach]
    classes, found = len(friends), []
    for mean in RATES:
        seen = poisson.pmf(counts, mean * friends.reshape(-1, 1)) @ hidden
        table = np.log(np.maximum(seen, 1e-300)).reshape(classes, classes, -1)
        found.append(sum(table[:, j, rows[:, j] - low].T for j in range(classes)))
    scores = logsumexp(np.stack(found), axis=0)
    shares = np.exp(scores - logsumexp(scores, axis=1, keepdims=True))
    logarithms: NDArray[np.float64] = np.log((1 - ODD) * shares + ODD / classes)
    return logarithms
