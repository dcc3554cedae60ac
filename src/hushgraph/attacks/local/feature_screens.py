"""Screens for fake people who lie about what their devices drew: the multi-bit mechanism alone is assumed."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from hushgraph.attacks.local.screen import Screen, monte_carlo
from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.reports import Answers
from hushgraph.mechanisms import MultiBit
from hushgraph.mechanisms.bits import SignedBit, share
from hushgraph.mechanisms.sampling import sample_columns

DRAWS = 199


def uneven_columns(
    collected: CollectedGraph, rng: np.random.Generator, level: int = 0, draws: int = DRAWS
) -> Screen:
    """Features that were drawn more often than devices draw them: all alike, whatever people hold.

    Counts are compared with the largest of ``draws`` collections of honest devices.
    """
    answers, _ = _answers(collected, level)
    (people, m), count = answers.parts["columns"].shape, collected.num_features
    oddest = [
        float(np.bincount(sample_columns(people, count, m, rng).ravel(), minlength=count).max())
        for _ in range(draws)
    ]
    found = np.bincount(answers.parts["columns"].ravel(), minlength=count).astype(np.float64)
    return Screen("uneven columns", monte_carlo(found, np.array(oddest)))


def impossible_signs(collected: CollectedGraph, level: int = 0) -> Screen:
    """Features that are answered with + (or with -) more often than any honest people answer them.

    A sign is + with a probability between 1/(e^z + 1) and e^z/(e^z + 1), z = ε/m: the binomial's tail at
    either end, times twice the number of features that anybody answered.
    """
    answers, mechanism = _answers(collected, level)
    columns, signs = answers.parts["columns"], answers.parts["signs"]
    coin = SignedBit(share(mechanism.epsilon, columns.shape[1]), mechanism.low, mechanism.high)
    most = float(coin.probability_of_plus(mechanism.high))
    asked, plus = (
        np.bincount(some.ravel(), minlength=collected.num_features) for some in (columns, columns[signs > 0])
    )
    tails = np.minimum(binom.sf(plus - 1, asked, most), binom.sf(asked - plus - 1, asked, most))
    return Screen("impossible signs", np.minimum(1.0, 2 * int((asked > 0).sum()) * tails))


def equal_choices(collected: CollectedGraph, level: int = 0) -> Screen:
    """People whose devices drew the same features as somebody else's, where hardly any two should.

    Two devices draw the same m of d with probability 1 / C(d, m). The pairs that do are C(n, 2) / C(d, m) on
    average, and by Markov's inequality there are k or more with a k-th of that probability.
    """
    answers, _ = _answers(collected, level)
    columns = np.sort(answers.parts["columns"], axis=1)
    _, which, sizes = np.unique(columns, axis=0, return_inverse=True, return_counts=True)
    mean = math.comb(len(columns), 2) / math.comb(collected.num_features, columns.shape[1])
    pairs = int((sizes * (sizes - 1) // 2).sum())
    p_values = np.ones(collected.num_nodes)
    if pairs:
        p_values[answers.people[sizes[which.ravel()] > 1]] = min(1.0, mean / pairs)
    return Screen("equal choices", p_values)


def _answers(collected: CollectedGraph, level: int) -> tuple[Answers, MultiBit]:
    mechanism = collected.campaign.features[level] if collected.campaign.features else None
    sent = [one for one in collected.reports.of_question("features") if one.level == level]
    if not isinstance(mechanism, MultiBit) or not sent or math.isinf(mechanism.epsilon):
        raise TypeError("this screen is about features that went through MultiBit with a budget")
    return sent[0], mechanism


def columns_of(collected: CollectedGraph, people: NDArray[np.int64], level: int = 0) -> NDArray[np.int32]:
    """The features that some people's devices drew, (k, m)."""
    answers, _ = _answers(collected, level)
    return np.asarray(answers.parts["columns"][np.isin(answers.people, people)])
