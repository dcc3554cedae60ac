"""Screens for fake people who lie about their class."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binom

from hushgraph.attacks.local.calibration import calibrated
from hushgraph.attacks.local.everything_else import LabelKnowledge
from hushgraph.attacks.local.one_report import checked_shares
from hushgraph.attacks.local.screen import Screen, monte_carlo
from hushgraph.collection.collected import CollectedGraph

DRAWS = 999


def impossible_shares(collected: CollectedGraph) -> Screen:
    """Classes that are reported too seldom for any honest people, whatever they hold.

    Everybody reports every class with probability q at least, so that a class has as many reports as so many
    coins of chance q or more of them: P[count ≤ k] is at most that of the binomial, times c because all
    classes are looked at. Of several levels the least q counts. It takes many liars to be caught here.
    """
    counts = reported_counts(collected)
    least = float(np.min(collected.label_channel.other))
    tails = binom.cdf(counts, counts.sum(), least)
    return Screen("impossible shares", np.minimum(1.0, counts.size * tails))


def unexpected_shares(
    collected: CollectedGraph, shares: ArrayLike, rng: np.random.Generator, draws: int = DRAWS
) -> Screen:
    """Classes that are reported more often than ``shares`` known from elsewhere, such as a census, explain.

    (count - n e) / √(n e) with e = q + (p - q) π of each class, and the largest of all compared with those of
    ``draws`` collections of honest people.
    """
    counts, expected = reported_counts(collected), expected_reports(collected, shares)
    middle = counts.sum() * expected
    honest = rng.multinomial(int(counts.sum()), expected, size=draws)
    found, of_honest = ((one - middle) / np.sqrt(np.maximum(middle, 1e-9)) for one in (counts, honest))
    p_values = monte_carlo(found, of_honest.max(1))
    return Screen("unexpected shares", p_values, "that their classes are drawn from the known shares")


def surprising_groups(
    known: LabelKnowledge, groups: NDArray[np.int64], rng: np.random.Generator, draws: int = DRAWS
) -> Screen:
    """Groups of people who report a class more often than their friends' reports explain.

    A group is anything that is public: those who joined in one week, or came from one address. Of a person i
    whom all others' reports give the posterior P_i, class k is expected with e_ik = q + (p - q) P_i(k), and
    of a group G

        z_Gk = Σ_G (1[y_i = k] - e_ik) / √(Σ_G e_ik (1 - e_ik)).

    Its largest z is compared with the largest of all groups and classes, in ``draws`` collections of honest
    reports. The posterior is first made as sure as the reports bear out (:func:`calibrated`), because that of
    a network is much too sure. The p-values hold as far as it is then right of each group on average: where
    the method is wrong about one group of honest people and not about others, that group cries out too.

    Args:
        known: what everything but their report says of people's labels.
        groups: which group everybody is in (n,), from 0 on.
        rng, draws: for the honest reports.
    """
    if groups.ndim != 1 or len(groups) <= known.people.max(initial=-1) or groups.min(initial=0) < 0:
        raise ValueError(f"groups must be one number from 0 on for everybody, got shape {groups.shape}")
    known = calibrated(known)
    group, labels = groups[known.people], known.labels
    expected = known.other[:, None] + (known.keep - known.other)[:, None] * known.others
    count, classes = int(groups.max()) + 1, expected.shape[1]
    middle, spread = np.zeros((count, classes)), np.zeros((count, classes))
    np.add.at(middle, group, expected)
    np.add.at(spread, group, expected * (1 - expected))

    def surprise(said: NDArray[np.int64]) -> NDArray[np.float64]:
        told = np.bincount(group * classes + said, minlength=middle.size).reshape(middle.shape)
        return np.asarray(((told - middle) / np.sqrt(np.maximum(spread, 1e-9))).max(1))

    upto = expected.cumsum(1)
    upto /= upto[:, -1:]
    oddest = np.empty(draws)
    for draw in range(draws):
        oddest[draw] = surprise((rng.random((labels.size, 1)) >= upto).sum(1)).max()
    return Screen(
        "surprising groups",
        monte_carlo(surprise(labels), oddest),
        "that what others tell of each group is right",
    )


def expected_reports(collected: CollectedGraph, shares: ArrayLike) -> NDArray[np.float64]:
    """How often honest people with these shares report each class, (c,)."""
    channel = collected.label_channel
    told = collected.labels >= 0
    keep, other = (
        float(np.broadcast_to(one, told.shape)[told].mean()) for one in (channel.keep, channel.other)
    )
    expected = other + (keep - other) * checked_shares(shares)
    return np.asarray(expected / expected.sum())


def reported_counts(collected: CollectedGraph) -> NDArray[np.int64]:
    """How many reported each class (c,)."""
    labels = collected.labels
    return np.bincount(labels[labels >= 0], minlength=collected.num_classes)
