"""The channel from classes to reported labels, against its matrix written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.local.label_noise import LabelNoise

PROBABILITY = torch.tensor([[0.7, 0.1], [0.2, 0.1], [0.1, 0.8]])  # (classes, people)


def noise(graph, split, labels, levels=None):
    collected = hg.collect(
        graph, split, features=None, labels=labels, levels=levels, rng=np.random.default_rng(1)
    )
    return LabelNoise(collected, torch.device("cpu")), collected


def transition(epsilon, classes=3):
    keep = math.exp(epsilon) / (math.exp(epsilon) + classes - 1)
    return torch.full((classes, classes), (1 - keep) / (classes - 1)).fill_diagonal_(keep)


@pytest.fixture
def two(split):
    """One with an even and one with an odd number, who gave their label."""
    return torch.tensor([min(who for who in split.train if who % 2 == rest) for rest in (0, 1)])


@pytest.fixture
def two_levels(graph, split):
    """Even numbers gave their label at ε = 0.5, odd ones at ε = 3."""
    taken = np.arange(graph.num_nodes) % 2
    return noise(graph, split, [hg.RandomizedResponse(0.5), hg.RandomizedResponse(3.0)], {"label": taken})


def test_forward_correction_is_the_product_with_the_transition_matrix(graph, split, two):
    of_all, _ = noise(graph, split, hg.RandomizedResponse(1.0))
    expected = (PROBABILITY.t() @ transition(1.0)).t()
    torch.testing.assert_close(of_all.of(PROBABILITY, two), expected)


def test_with_one_level_it_is_the_same_whoever_asks_and_in_any_layout(graph, split, two):
    of_all, _ = noise(graph, split, hg.RandomizedResponse(1.0))
    assert torch.equal(of_all.of(PROBABILITY), of_all.of(PROBABILITY, two))
    assert torch.equal(of_all.of(PROBABILITY.t()).t(), of_all.of(PROBABILITY))


def test_it_overwrites_nothing_and_lets_gradients_through(graph, split):
    of_all, _ = noise(graph, split, hg.RandomizedResponse(1.0))
    given = PROBABILITY.clone().requires_grad_()
    of_all.of(given).sum().backward()
    assert torch.equal(given.detach(), PROBABILITY)
    torch.testing.assert_close(given.grad, torch.full_like(PROBABILITY, of_all.keep_minus_other))


def test_with_levels_each_person_has_their_own_noise(two_levels, two):
    by_level, _ = two_levels
    noisy = by_level.of(PROBABILITY, two)
    for person, epsilon in enumerate((0.5, 3.0)):
        torch.testing.assert_close(noisy[:, person], PROBABILITY[:, person] @ transition(epsilon))


def test_without_people_all_get_the_mean_of_those_who_gave_a_label(two_levels):
    by_level, collected = two_levels
    gave = np.flatnonzero(collected.labels >= 0)
    keep = np.mean([transition((0.5, 3.0)[person % 2])[0, 0].item() for person in gave])
    assert by_level.perfect_accuracy == pytest.approx(keep, rel=1e-6)
    certain = torch.eye(3)
    torch.testing.assert_close(by_level.of(certain).diagonal(), torch.full((3,), keep, dtype=torch.float32))


def test_shares_under_the_mean_noise_become_those_under_ones_own(two_levels, two):
    by_level, _ = two_levels
    shares = by_level.of(PROBABILITY).t()
    torch.testing.assert_close(by_level.of_levels(shares, two), by_level.of(PROBABILITY, two).t())


def test_votes_are_unbiased_and_weigh_reliable_labels_more(two_levels, graph, two):
    by_level, _ = two_levels
    gave = torch.ones(graph.num_nodes, dtype=torch.bool)
    reported = torch.eye(3)
    for person, epsilon in zip(two, (0.5, 3.0), strict=True):
        one_hot = torch.zeros(graph.num_nodes, 3)
        mean = torch.zeros(3)
        for label, probability in enumerate(transition(epsilon)[2]):
            one_hot[person] = reported[label]
            votes, weights = by_level.votes(one_hot, gave)
            mean += probability * votes[person]
        torch.testing.assert_close(mean, torch.tensor([0.0, 0.0, 1.0]), atol=1e-5, rtol=0)
    assert weights.max() == weights[two[1]] == 1
    assert weights[two[0]] < weights[two[1]]


def test_who_gave_no_label_does_not_vote(two_levels, graph):
    by_level, _ = two_levels
    gave = torch.arange(graph.num_nodes) != 3
    _, weights = by_level.votes(torch.zeros(graph.num_nodes, 3), gave)
    assert weights[3] == 0


def test_without_noise_there_is_none(graph, split):
    none, _ = noise(graph, split, hg.RandomizedResponse(math.inf))
    assert none.is_none
    assert torch.equal(none.of(PROBABILITY), PROBABILITY)
