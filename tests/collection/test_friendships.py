"""Two reports about one friendship."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.friendships import Friendships, pair_estimate

RULES = ("either", "both", "mean")


@pytest.fixture(params=[1e-3, 0.1, 1.0, 3.0, 8.0])
def epsilon(request):
    return request.param


def friendships_by(mechanism, lists, answered=None):
    return Friendships.reported(lists, mechanism.flip_probability, answered)


def reported(pairs, people=4, epsilon=1.0):
    owner, named = np.array(sorted(pairs)).T.reshape(2, -1)
    lists = hg.NeighborLists.from_pairs(owner, named, people)
    return friendships_by(hg.AdjacencyRandomizedResponse(epsilon), lists)


def value(rule, named, p, sent=(1, 1)):
    """The estimate for one pair."""
    ends = (np.array(part)[:, None] for part in (np.array(named, bool), np.array(sent, bool)))
    return pair_estimate(rule, *ends, np.full((2, 1), p))[0]


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
            mean += chance * value(rule, answers, mechanism.flip_probability)
        assert mean == pytest.approx(friends, abs=1e-5)


@pytest.mark.parametrize("rule", RULES)
def test_one_list_alone_is_estimated_without_bias_too(rule, epsilon):
    mechanism = hg.AdjacencyRandomizedResponse(epsilon)
    alone = friendships_by(mechanism, hg.NeighborLists.from_lists([[1], []]), np.array([True, False]))
    assert (alone.votes.tolist(), alone.lists.tolist()) == ([1], [1])
    for friends in (0, 1):
        named = float(mechanism.probability(True, friends))
        mean = named * alone.estimate(rule)[0] + (1 - named) * value(
            rule, (0, 0), mechanism.flip_probability, (1, 0)
        )
        assert mean == pytest.approx(friends, abs=1e-5)


def test_pairs_of_whom_one_sent_a_list_need_one_vote():
    lists = hg.NeighborLists.from_lists([[1, 2], [0], [], []])
    friendships = friendships_by(
        hg.AdjacencyRandomizedResponse(1.0), lists, np.array([True, True, False, False])
    )
    assert friendships.kept("both").tolist() == [[0, 0], [1, 2]]
    p = friendships.flip_probability
    assert friendships.posterior(0.1)[1] == pytest.approx(0.1 * (1 - p) / (0.1 * (1 - p) + 0.9 * p))


def test_which_rule_varies_least_depends_on_whom_it_is_about(epsilon):
    p = hg.AdjacencyRandomizedResponse(epsilon).flip_probability
    strangers = np.array([(1 - p) ** 2, 2 * p * (1 - p), p**2])
    spread = {}
    for rule in RULES:
        values = np.array([value(rule, answers, p) for answers in ((0, 0), (1, 0), (1, 1))])
        spread[rule] = strangers @ values**2, strangers[::-1] @ (values - 1) ** 2
    if p < 0.45:  # with almost fair coins they hardly differ
        assert min(spread, key=lambda rule: spread[rule][0]) == "both"
        assert min(spread, key=lambda rule: spread[rule][1]) == "either"
    assert spread["mean"][0] == pytest.approx(spread["mean"][1], rel=1e-6)


def test_the_number_of_friendships_is_estimated_without_bias(chance):
    rng = np.random.default_rng(3)
    people = 60
    graph = np.array([[u, v] for u in range(people) for v in range(u + 1, people) if rng.random() < 0.1]).T
    lists = hg.NeighborLists.from_edges(graph, people)
    mechanism = hg.AdjacencyRandomizedResponse(1.5)
    totals = [
        [friendships_by(mechanism, mechanism.randomize(lists, rng)).total(rule) for rule in RULES]
        for _ in range(300)
    ]
    assert chance.explains_mean(totals, np.full(3, graph.shape[1]), false_alarm=1e-6)


def test_where_some_sent_no_list_the_friendships_that_a_list_could_tell_of_are_counted(chance):
    rng = np.random.default_rng(4)
    people, answered = 60, np.arange(60) < 35
    graph = np.array([[u, v] for u in range(people) for v in range(u + 1, people) if rng.random() < 0.1]).T
    lists = hg.NeighborLists.from_edges(graph, people)
    mechanism = hg.AdjacencyRandomizedResponse(1.5)

    def collected():
        owner, named = mechanism.randomize(lists, rng).pairs
        sent = hg.NeighborLists.from_pairs(owner[answered[owner]], named[answered[owner]], people)
        return friendships_by(mechanism, sent, answered)

    totals = [[collected().total(rule) for rule in RULES] for _ in range(300)]
    told = np.count_nonzero(answered[graph].any(0))
    assert chance.explains_mean(totals, np.full(3, told), false_alarm=1e-6)


def test_degrees_are_estimated_without_bias_from_the_lists_that_there_are(chance):
    rng = np.random.default_rng(5)
    people, silent = 40, np.arange(40) >= 25
    graph = np.array([[u, v] for u in range(people) for v in range(u + 1, people) if rng.random() < 0.2]).T
    lists = hg.NeighborLists.from_edges(graph, people)
    mechanism = hg.AdjacencyRandomizedResponse(1.0)
    true = np.bincount(graph.ravel(), minlength=people).astype(float)
    # Of somebody who sent no list only friends who did are seen, and scaled up.
    seen = np.array([(~silent)[lists.of(who)].sum() for who in range(people)])
    scaled = np.where(silent, seen * (people - 1) / (~silent).sum(), true)
    for sent, expected in ((np.ones(people, bool), true), (~silent, scaled)):

        def degrees(sent=sent):
            owner, named = mechanism.randomize(lists, rng).pairs
            reported = hg.NeighborLists.from_pairs(owner[sent[owner]], named[sent[owner]], people)
            return friendships_by(mechanism, reported, sent).degrees

        assert chance.explains_mean([degrees() for _ in range(300)], expected, false_alarm=1e-6)


def test_who_answered_must_be_said_of_everybody_who_sent_a_list():
    lists = hg.NeighborLists.from_lists([[1], [0], []])
    mechanism = hg.AdjacencyRandomizedResponse(1.0)
    with pytest.raises(ValueError, match="a list of somebody who did not answer"):
        friendships_by(mechanism, lists, np.array([True, False, True]))
    for answered in (np.ones(2, bool), np.ones(3)):
        with pytest.raises(ValueError, match=r"answered must be bool of shape \(3,\)"):
            friendships_by(mechanism, lists, answered)


def test_the_density_is_that_of_one_friendship_at_least():
    """With an estimated total below zero every posterior would be zero."""
    nobody = friendships_by(
        hg.AdjacencyRandomizedResponse(0.5), hg.NeighborLists.from_lists([[1], [0], [], []])
    )
    assert nobody.total() < 0
    assert nobody.density == pytest.approx(1 / 6)


def test_the_prior_of_a_pair_grows_with_its_degrees():
    star = [(0, other) for other in range(1, 8)]
    found = reported([*star, *((v, u) for u, v in star), (8, 9), (9, 8)], people=60, epsilon=6.0)
    *of_the_hub, aside = found.degree_prior()
    assert min(of_the_hub) > 2 * aside


def test_a_prior_of_each_pair_is_used_for_that_pair():
    found = reported([(0, 1), (1, 0), (2, 3), (3, 2)])
    each = found.posterior(np.array([0.5, 0.01]))
    assert each[0] == found.posterior(0.5)[0]
    assert each[1] == found.posterior(0.01)[1]
    with pytest.raises(ValueError, match=r"prior must lie in \[0, 1\]"):
        found.posterior(1.5)


def test_the_posterior_is_bayes_rule(epsilon):
    mechanism = hg.AdjacencyRandomizedResponse(epsilon)
    q, p = float(mechanism.probability(True, True)), mechanism.flip_probability
    one, two = reported([(0, 1), (2, 3), (3, 2)], epsilon=epsilon).posterior(prior=0.1)
    assert one == pytest.approx(0.1)
    assert two == pytest.approx(0.1 * q**2 / (0.1 * q**2 + 0.9 * p**2))


def test_without_privacy_a_named_pair_are_friends():
    friendships = reported([(0, 1), (1, 0)], epsilon=float("inf"))
    assert friendships.posterior().tolist() == [1.0]
    assert friendships.total() == 1.0


def test_an_unknown_rule_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="did you mean 'either'"):
        reported([(0, 1)]).estimate("eihter")


@pytest.mark.parametrize("rule", RULES)
def test_with_levels_each_entry_has_its_owners_noise(rule):
    flips = np.array([0.1, 0.4])
    for friends in (0, 1):
        mean = 0.0
        for answers in itertools.product((0, 1), repeat=2):
            right = np.array(answers) == friends
            named = np.array(answers, bool)[:, None]
            estimate = pair_estimate(rule, named, np.ones((2, 1), bool), flips[:, None])[0]
            mean += np.where(right, 1 - flips, flips).prod() * estimate
        assert mean == pytest.approx(friends, abs=1e-12)


def test_with_levels_totals_degrees_and_posteriors_are_right(chance):
    rng = np.random.default_rng(6)
    people = 45
    flips, sent = rng.choice([0.02, 0.2, 0.35], people), np.arange(people) < 35
    graph = np.array([[u, v] for u in range(people) for v in range(u + 1, people) if rng.random() < 0.2]).T
    truth = np.zeros((people, people), bool)
    truth[graph[0], graph[1]] = truth[graph[1], graph[0]] = True

    def found():
        answers = truth ^ (rng.random(truth.shape) < flips[:, None])
        answers[~sent] = False
        np.fill_diagonal(answers, False)
        owner, named = np.nonzero(answers)
        return Friendships.reported(hg.NeighborLists.from_pairs(owner, named, people), flips, sent)

    several = [found() for _ in range(300)]
    told = np.count_nonzero(sent[graph].any(0))
    totals = [[one.total(rule) for rule in RULES] for one in several]
    assert chance.explains_mean(totals, np.full(3, told), false_alarm=1e-6)
    degrees = np.where(sent, truth.sum(1), truth[:, sent].sum(1) * (people - 1) / sent.sum())
    assert chance.explains_mean([one.degrees for one in several], degrees, false_alarm=1e-6)
    one = several[0]
    u, v = one.edges
    for pair in range(0, u.size, 7):
        likelihood = [1.0, 1.0]
        for owner, named in ((u[pair], one.named[0, pair]), (v[pair], one.named[1, pair])):
            if sent[owner]:
                for friends in (0, 1):
                    likelihood[friends] *= 1 - flips[owner] if named == friends else flips[owner]
        expected = 0.3 * likelihood[1] / (0.3 * likelihood[1] + 0.7 * likelihood[0])
        assert one.posterior(0.3)[pair] == pytest.approx(expected)
