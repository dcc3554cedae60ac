"""The block posterior: friendships weighed by what lists and labels say."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.denoise import collected_adjacency
from hushgraph.denoise.blocks import block_posterior

PEOPLE, CLASSES = 400, 4


@pytest.fixture(scope="module")
def community():
    """Four classes of a hundred; friends are mostly of one class."""
    rng = np.random.default_rng(8)
    labels = np.repeat(np.arange(CLASSES), PEOPLE // CLASSES)
    u, v = np.triu_indices(PEOPLE, 1)
    chosen = rng.random(u.size) < np.where(labels[u] == labels[v], 0.06, 0.002)
    return hg.Graph(edges=np.stack([u[chosen], v[chosen]]), features=rng.random((PEOPLE, 3)), labels=labels)


def collected_at(graph, epsilon, label_epsilon=math.inf, seed=0):
    return hg.collect(
        graph,
        hg.random_split(graph, train=0.4, val=0.2, seed=seed),
        features=None,
        labels=hg.RandomizedResponse(label_epsilon),
        edges=hg.AdjacencyRandomizedResponse(epsilon),
        rng=np.random.default_rng(seed),
    )


def weights_of(collected, rounds=10):
    return block_posterior(
        collected.friendships, collected.labels, collected.label_channel, collected.num_classes, rounds
    )


def are_friends(graph, edges):
    true = set(map(tuple, graph.edges.T.tolist()))
    return np.array([pair in true for pair in map(tuple, edges.T.tolist())])


@pytest.mark.parametrize("label_epsilon", [math.inf, 4.0])
def test_it_tells_friends_from_strangers_among_pairs_that_name_each_other(community, label_epsilon):
    collected = collected_at(community, 3.0, label_epsilon)
    weights, _ = weights_of(collected)
    friends = are_friends(community, collected.friendships.kept("both"))
    assert 0.4 < friends.mean() < 0.95
    assert weights[friends].mean() > weights[~friends].mean() + 0.2


def test_weights_are_calibrated(community):
    """Of pairs with a weight of about w, a share of about w are friends."""
    found = [collected_at(community, 3.0, seed=seed) for seed in range(6)]
    weights = np.concatenate([weights_of(collected)[0] for collected in found])
    friends = np.concatenate([are_friends(community, one.friendships.kept("both")) for one in found])
    for low, high in itertools.pairwise([0.0, 0.3, 0.7, 0.95, 1.0]):
        inside = (weights >= low) & (weights <= high)
        if inside.sum() > 50:
            assert friends[inside].mean() == pytest.approx(weights[inside].mean(), abs=0.15)


def test_classes_of_people_without_a_label_are_those_of_their_friends(community):
    collected = collected_at(community, 4.0)
    _, classes = weights_of(collected)
    np.testing.assert_allclose(classes.sum(1), 1.0)
    silent = collected.labels < 0
    assert (classes.argmax(1) == community.labels)[silent].mean() > 0.8
    assert (classes.argmax(1) == community.labels)[~silent].all()


def test_without_rounds_it_is_the_plain_posterior(community):
    collected = collected_at(community, 3.0)
    friendships = collected.friendships
    np.testing.assert_array_equal(
        weights_of(collected, rounds=0)[0], friendships.posterior()[friendships.unanimous]
    )


def test_labels_that_say_nothing_change_nothing(community):
    """With one reported class the affinity is one, and so the prior is the density."""
    collected = collected_at(community, 3.0)
    one_class = np.where(collected.labels >= 0, 0, -1)
    weights, _ = block_posterior(collected.friendships, one_class, collected.label_channel, CLASSES)
    friendships = collected.friendships
    np.testing.assert_allclose(weights, friendships.posterior()[friendships.unanimous], rtol=1e-6)


@pytest.mark.slow
def test_a_class_that_nobody_reports_does_no_harm():
    """Among so many friends of other classes its probability is zero in double precision."""
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 2, 1000)
    u, v = np.triu_indices(1000, 1)
    chosen = rng.random(u.size) < np.where(labels[u] == labels[v], 0.8, 0.1)
    dense = hg.Graph(
        edges=np.stack([u[chosen], v[chosen]]), features=rng.random((1000, 3)), labels=labels, num_classes=3
    )
    weights, classes = weights_of(collected_at(dense, 6.0))
    assert np.isfinite(weights).all()
    assert classes[:, 2].max() == 0


def test_nobody_named_gives_no_edges(community):
    silent = hg.collect(
        community,
        hg.random_split(community, train=0.4, val=0.2, seed=0),
        features=hg.MultiBit(1.0),
        labels=hg.RandomizedResponse(math.inf),
        edges=hg.AdjacencyRandomizedResponse(60.0),
        rng=np.random.default_rng(0),
        answered=np.arange(PEOPLE),
    )
    empty = replace(silent, edges=np.zeros((2, 0), np.int32))
    assert collected_adjacency(empty, "blocks").indices.numel() == 0
    assert collected_adjacency(empty, "degrees").indices.numel() == 0
