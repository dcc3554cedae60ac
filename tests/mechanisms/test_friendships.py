"""Two reports about one friendship."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import hushgraph as hg

RULES = ("either", "both", "mean")


def reported(pairs, people=4, epsilon=1.0):
    owner, named = np.array(sorted(pairs)).T.reshape(2, -1)
    lists = hg.NeighbourLists.from_pairs(owner, named, people)
    return hg.AdjacencyRandomizedResponse(epsilon).friendships(lists)


def test_votes_are_counted_for_every_named_pair():
    friendships = reported([(0, 1), (1, 0), (3, 2)])
    assert friendships.edges.tolist() == [[0, 2], [1, 3]]
    assert friendships.votes.tolist() == [2, 1]
    assert friendships.kept("either").tolist() == [[0, 2], [1, 3]]
    assert friendships.kept("both").tolist() == [[0], [1]]


@pytest.mark.parametrize("rule", RULES)
def test_each_rules_estimate_is_unbiased(rule, epsilon):
    mechanism = hg.AdjacencyRandomizedResponse(epsilon)
    for friends in (0, 1):
        mean = 0.0
        for answers in itertools.product((0, 1), repeat=2):
            chance = float(np.prod([float(mechanism.probability(a, friends)) for a in answers]))
            named = [pair for pair, answer in zip([(0, 1), (1, 0)], answers, strict=True) if answer]
            stored, other = reported(named, 2, epsilon).estimate(rule)
            mean += chance * (stored[0] if named else other)
        assert mean == pytest.approx(friends, abs=1e-5)


def test_which_rule_varies_least_depends_on_whom_it_is_about(epsilon):
    p = hg.AdjacencyRandomizedResponse(epsilon).flip_probability
    strangers = np.array([(1 - p) ** 2, 2 * p * (1 - p), p**2])
    spread = {}
    for rule in RULES:
        one, other = reported([(0, 1)], 2, epsilon).estimate(rule)
        two, _ = reported([(0, 1), (1, 0)], 2, epsilon).estimate(rule)
        values = np.array([other, one[0], two[0]])
        spread[rule] = strangers @ values**2, strangers[::-1] @ (values - 1) ** 2
    if p < 0.45:  # with almost fair coins they hardly differ
        assert min(spread, key=lambda rule: spread[rule][0]) == "both"
        assert min(spread, key=lambda rule: spread[rule][1]) == "either"
    assert spread["mean"][0] == pytest.approx(spread["mean"][1], rel=1e-6)


def test_the_number_of_friendships_is_estimated_without_bias(chance):
    rng = np.random.default_rng(3)
    people = 60
    graph = np.array([[u, v] for u in range(people) for v in range(u + 1, people) if rng.random() < 0.1]).T
    lists = hg.NeighbourLists.from_edges(graph, people)
    mechanism = hg.AdjacencyRandomizedResponse(1.5)
    totals = [
        [mechanism.friendships(mechanism.randomize_all(lists, rng)).total(rule) for rule in RULES]
        for _ in range(300)
    ]
    assert chance.explains_mean(totals, np.full(3, graph.shape[1]), false_alarm=1e-6)


def test_the_posterior_is_bayes_rule(epsilon):
    mechanism = hg.AdjacencyRandomizedResponse(epsilon)
    q, p = float(mechanism.probability(True, True)), mechanism.flip_probability
    one, two = reported([(0, 1), (2, 3), (3, 2)], epsilon=epsilon).posterior(density=0.1)
    assert one == pytest.approx(0.1)
    assert two == pytest.approx(0.1 * q**2 / (0.1 * q**2 + 0.9 * p**2))


def test_without_privacy_a_named_pair_are_friends():
    friendships = reported([(0, 1), (1, 0)], epsilon=float("inf"))
    assert friendships.posterior().tolist() == [1.0]
    assert friendships.total() == 1.0


def test_an_unknown_rule_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="did you mean 'either'"):
        reported([(0, 1)]).estimate("eihter")
