"""What two noisy lists give away of one friendship, and what other people give away."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.attacks.local.agreement import FALSE_ALARM, may_have_been

import hushgraph as hg
from hushgraph.attacks.local import FriendshipGuess, friendship_attack, friendship_given_others
from hushgraph.attacks.local.one_friendship import pairs_to_attack

LISTS = hg.AdjacencyRandomizedResponse(2.0)


@pytest.fixture(scope="module")
def circles():
    return hg.datasets.load("social", n=600, features=10, classes=3, seed=1)


@pytest.fixture(scope="module")
def pairs(circles):
    return pairs_to_attack(circles.edges, circles.num_nodes, np.random.default_rng(0))


@pytest.fixture(scope="module")
def reported(circles):
    return LISTS.randomize(
        hg.NeighborLists.from_edges(circles.edges, circles.num_nodes), np.random.default_rng(1)
    )


def test_closed_forms_are_sums_over_what_two_lists_can_say():
    best, p = FriendshipGuess(LISTS), LISTS.flip_probability
    for votes in (0, 1, 2):
        said = [pair for pair in itertools.product([0, 1], repeat=2) if sum(pair) >= votes]
        assert best.tpr(votes) == pytest.approx(sum((1 - p) ** sum(s) * p ** (2 - sum(s)) for s in said))
        assert best.fpr(votes) == pytest.approx(sum(p ** sum(s) * (1 - p) ** (2 - sum(s)) for s in said))
    assert best.advantage == pytest.approx(1 - 2 * p)


def test_two_lists_reach_what_twice_the_budget_allows():
    best = FriendshipGuess(LISTS)
    assert best.epsilon == 4
    assert best.tpr(2) == pytest.approx(best.tpr_bound(2))
    assert best.tpr(2) > FriendshipGuess(LISTS, lists=1).tpr_bound(1) * best.fpr(2) / LISTS.flip_probability
    assert best.auc < best.auc_bound


@pytest.mark.parametrize("density", [0.5, 0.1, 0.001])
def test_the_attack_is_right_as_often_as_its_closed_form_says(circles, pairs, reported, density):
    where, friends = pairs
    found = friendship_attack(reported, where, friends, LISTS.epsilon, density)
    best = FriendshipGuess(LISTS)
    convinced = [votes for votes in (1, 2) if density / (1 - density) * np.exp(4 * (votes - 1)) > 1]
    for kind, rate in ((friends, best.tpr), (~friends, best.fpr)):
        expected = rate(convinced[0]) if convinced else 0.0
        assert may_have_been(found.said[kind], expected)
    weighed = density * found.said[friends].mean() + (1 - density) * (1 - found.said[~friends].mean())
    assert weighed == pytest.approx(best.success(density), abs=0.02)
    assert best.success(density) <= best.success_bound(density) + 1e-12


def test_the_curve_is_that_of_the_closed_form(circles, pairs, reported):
    where, friends = pairs
    found = friendship_attack(reported, where, friends, LISTS.epsilon, 0.01)
    # An interval of 95 % on each side, widened to one that fails once in a million.
    half = (found.auc.high - found.auc.low) / 2 * 5 / 1.96
    assert abs(found.auc.value - FriendshipGuess(LISTS).auc) < half


def better_than_chance(found):
    right = int((found.said == found.truth).sum())
    guessed = max(found.truth.mean(), 1 - found.truth.mean())
    return binomtest(right, found.truth.size, guessed, alternative="greater").pvalue < FALSE_ALARM


def test_friends_in_common_give_a_friendship_away(circles, pairs):
    where, friends = pairs
    split = hg.random_split(circles, train=0.5, val=0.25, seed=0)
    sent = hg.collect(
        circles, split, features=None, labels=hg.RandomizedResponse(1.0),
        edges=hg.AdjacencyRandomizedResponse(6.0), rng=np.random.default_rng(4),
    )  # fmt: skip
    few = np.random.default_rng(5).permutation(friends.size)[:400]
    assert better_than_chance(friendship_given_others(sent, where[:, few], friends[few]).in_common)


def test_others_give_a_friendship_away_that_no_epsilon_protects(camps, camps_split):
    where, friends = pairs_to_attack(camps.edges, camps.num_nodes, np.random.default_rng(0))
    asked = hg.AdjacencyRandomizedResponse(6.0)
    sent = hg.collect(
        camps, camps_split, features=None, labels=hg.RandomizedResponse(3.0), edges=asked,
        rng=np.random.default_rng(4),
    )  # fmt: skip
    few = np.random.default_rng(5).permutation(friends.size)[:400]
    some, of_some = where[:, few], friends[few]
    known = friendship_given_others(sent, some, of_some)
    assert better_than_chance(known.blocks)
    assert known.both.auc.value > known.blocks.auc.value
    # Whatever their own two entries were: the other world's lists tell the same.
    names = np.concatenate([some, some[::-1]], axis=1)
    owner, name = sent.lists.pairs
    key = np.union1d(owner * 400 + name, names[0] * 400 + names[1])
    changed = replace(sent, edges=np.stack(np.divmod(key, 400)).astype(np.int32))
    again = friendship_given_others(changed, some, of_some)
    assert (again.blocks.scores == known.blocks.scores).all()
    assert (again.in_common.scores == known.in_common.scores).all()
    assert (again.own.scores == asked.epsilon * 2).all()
