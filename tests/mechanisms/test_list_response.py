"""Randomised response on neighbour lists: exact loss, the same distribution as bit by bit, clear errors."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.audit.enumeration import list_distribution as distribution
from hushgraph.audit.enumeration import list_losses
from hushgraph.mechanisms.randomness import WORDS


@pytest.mark.parametrize("people", [2, 3, 4, 5, 6])
def test_the_worst_loss_between_lists_that_differ_in_one_entry_is_epsilon(people, epsilon):
    losses = list(list_losses(hg.AdjacencyRandomizedResponse(epsilon), people - 1))
    assert all(loss.is_at_most(epsilon) for loss in losses)
    assert max(map(float, losses)) == pytest.approx(epsilon, abs=1e-9)


def test_large_budgets_stay_finite(large_epsilon):
    mechanism = hg.AdjacencyRandomizedResponse(large_epsilon)
    (loss,) = list_losses(mechanism, 1)
    assert loss.is_at_most(large_epsilon)


@pytest.mark.slow
@pytest.mark.parametrize("budget", [0.01, 1.0, 4.0])
def test_one_device_answers_as_by_tossing_every_coin(budget, source, chance):
    mechanism = hg.AdjacencyRandomizedResponse(budget)
    truth = (0, 1, 1)  # persons 0, 1 and 3 seen from person 2
    counts = dict.fromkeys(itertools.product((0, 1), repeat=3), 0)
    for _ in range(4_000):
        named = mechanism.randomize(hg.NeighborLists.of_person(2, [1, 3], 4), source.rng).names
        assert 2 not in named
        counts[tuple(int(other in named) for other in (0, 1, 3))] += 1
    expected = distribution(mechanism, truth)
    # Answers too rare to be counted one by one are counted together.
    rare = [answer for answer, probability in expected.items() if probability * 4_000 < 5]
    cells = [[answer] for answer in expected if answer not in rare] + ([rare] if rare else [])
    observed = [sum(counts[answer] for answer in cell) for cell in cells]
    probabilities = [sum(expected[answer] for answer in cell) for cell in cells]
    assert chance.explains(observed, probabilities, source.false_alarm)


@pytest.mark.parametrize("budget", [0.05, 2.0, 6.0])
def test_a_whole_graph_is_answered_as_by_its_devices(budget, chance):
    rng = np.random.default_rng(8)
    people = 300
    edges = np.array([[0, 0, 1, 5], [1, 2, 2, 299]])
    truth = hg.NeighborLists.from_edges(edges, people)
    mechanism = hg.AdjacencyRandomizedResponse(budget)
    p = mechanism.flip_probability
    kept, added, rounds = 0, np.zeros(people, np.int64), 40
    for _ in range(rounds):
        reported = mechanism.randomize(truth, rng)
        owner, other = reported.pairs
        true = np.isin(owner * people + other, truth.pairs[0] * people + truth.pairs[1])
        kept += true.sum()
        added += np.bincount(owner[~true], minlength=people)
    entries = rounds * people * (people - 1)
    false_alarm = 1e-6
    if p * rounds * 8 > 5:
        assert chance.explains([kept, rounds * 8 - kept], [1 - p, p], false_alarm)
    total = added.sum()
    assert chance.explains([total, entries - rounds * 8 - total], [p, 1 - p], false_alarm)
    assert chance.explains(added[6:-1], np.full(people - 7, 1 / (people - 7)), false_alarm)


def test_without_privacy_lists_stay_as_they_are():
    mechanism = hg.AdjacencyRandomizedResponse(math.inf)
    lists = hg.NeighborLists.from_edges([[0, 1], [1, 2]], 4)
    same = mechanism.randomize(lists, np.random.default_rng(0))
    np.testing.assert_array_equal(same.names, lists.names)
    assert mechanism.guarantee.status == "none"


def test_the_estimate_is_unbiased_and_has_its_variance(epsilon):
    mechanism = hg.AdjacencyRandomizedResponse(epsilon)
    p = mechanism.flip_probability
    for entry in (0, 1):
        chances = {1: p if entry == 0 else 1 - p, 0: 1 - p if entry == 0 else p}
        mean = sum(chances[answer] * mechanism.estimate(answer) for answer in (0, 1))
        square = sum(chances[answer] * (mechanism.estimate(answer) - entry) ** 2 for answer in (0, 1))
        assert mean == pytest.approx(entry, abs=1e-6)
        assert square == pytest.approx(mechanism.variance(entry), rel=1e-6)


def test_the_guarantee_is_about_one_entry():
    guarantee = hg.AdjacencyRandomizedResponse(1.5).guarantee
    assert (guarantee.epsilon, guarantee.status) == (1.5, "proven")
    assert "differ in one entry" in guarantee.relation


def test_time_and_memory_follow_the_names_not_the_people():
    mechanism = hg.AdjacencyRandomizedResponse(16.0)
    one = hg.NeighborLists.of_person(7, [5], 50_000_000)
    reported = mechanism.randomize(one, np.random.default_rng(1)).names
    expected = mechanism.expected_names(1, 50_000_000 - 1)
    assert abs(reported.size - expected) < 6 * math.sqrt(expected)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"friends": [9]}, "friends must be numbers of people, 0 … 3"),
        ({"friends": [2]}, "must not name the person themselves"),
        ({"friends": [1, 1]}, "each once"),
        ({"person": 4}, "person must lie in 0 … 3"),
        ({"friends": [0.5]}, "friends must be numbers of people"),
    ],
)
def test_a_list_without_sense_is_refused(words, message):
    with pytest.raises(ValueError, match=message):
        hg.NeighborLists.of_person(**{"friends": [1], "person": 2, "num_people": 4, **words})


@pytest.mark.parametrize("budget", [0, -1, math.nan])
def test_a_budget_must_be_above_zero(budget):
    with pytest.raises(ValueError, match="epsilon must be above 0"):
        hg.AdjacencyRandomizedResponse(budget)


def test_a_budget_whose_reports_would_not_fit_is_refused_with_one_that_would():
    lists = hg.NeighborLists.from_edges([[0], [1]], 10_000)
    tight = hg.AdjacencyRandomizedResponse(1.0, limit=1_000_000)
    with pytest.raises(
        ValueError, match=r"26,891,\d+ names, more than the limit of 1,000,000; ε = 4.6 would fit"
    ):
        tight.randomize(lists, np.random.default_rng(0))
    hg.AdjacencyRandomizedResponse(4.61, limit=1_000_000).randomize(lists, np.random.default_rng(0))


def test_the_least_budget_is_all_but_a_fair_coin():
    assert hg.AdjacencyRandomizedResponse(1e-9).probability(True, False) < 0.5 + 1 / WORDS


def test_a_devices_refusal_does_not_tell_how_many_friends_there_are(rng):
    mechanism = hg.AdjacencyRandomizedResponse(0.5, limit=10)
    refusals = []
    for friends in ([], range(1, 30)):
        with pytest.raises(ValueError, match="would give about") as refused:
            mechanism.randomize(hg.NeighborLists.of_person(0, list(friends), 60), rng)
        refusals.append(str(refused.value))
    assert refusals[0] == refusals[1]
    # Lists are refused for their noise alone, however long they are.
    roomy = hg.AdjacencyRandomizedResponse(6.0, limit=10)
    assert roomy.randomize(hg.NeighborLists.of_person(0, range(1, 30), 60), rng).num_names > 10
