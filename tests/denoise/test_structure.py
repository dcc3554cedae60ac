"""What a server makes of neighbour lists."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.denoise import collected_adjacency


@pytest.fixture
def collected(graph, split, rng):
    return hg.collect(
        graph,
        split,
        features=hg.MultiBit(2.0),
        labels=hg.RandomizedResponse(1.0),
        edges=hg.AdjacencyRandomizedResponse(2.0),
        rng=rng,
    )


def pairs(adjacency):
    return set(map(tuple, adjacency.edge_index.T.tolist()))


def test_everybody_listens_to_those_whom_they_name(collected):
    adjacency = collected_adjacency(collected, "directed")
    assert pairs(adjacency) == {(named, owner) for owner, named in collected.edges.T.tolist()}


def test_both_and_either_are_symmetric_and_differ_in_who_must_name_whom(collected):
    named = set(map(tuple, collected.edges.T.tolist()))
    assert pairs(collected_adjacency(collected, "both")) == {(u, v) for u, v in named if (v, u) in named}
    assert pairs(collected_adjacency(collected, "either")) == named | {(v, u) for u, v in named}


def test_the_posterior_weighs_those_who_name_each_other(collected):
    adjacency = collected_adjacency(collected, "posterior")
    assert pairs(adjacency) == pairs(collected_adjacency(collected, "both"))
    friendships = collected.friendships
    (weight,) = set(friendships.posterior()[friendships.votes == 2])
    torch.testing.assert_close(adjacency.values, torch.full_like(adjacency.values, weight))
    # A pair of whom one names the other is as likely to be friends as any pair was before the answers.
    np.testing.assert_allclose(friendships.posterior()[friendships.votes == 1], friendships.density)


def test_without_noise_every_rule_gives_the_true_graph(graph, split, rng):
    collected = hg.collect(
        graph,
        split,
        features=None,
        labels=hg.RandomizedResponse(1.0),
        edges=hg.AdjacencyRandomizedResponse(math.inf),
        rng=rng,
    )
    true = {(u, v) for a, b in graph.edges.T.tolist() for u, v in ((a, b), (b, a))}
    for structure in ("directed", "either", "both", "posterior", "degrees", "blocks"):
        adjacency = collected_adjacency(collected, structure)
        assert pairs(adjacency) == true
        assert adjacency.values is None or adjacency.values.min() == 1


def test_a_public_graph_stays_as_it_is(graph, split, rng):
    collected = hg.collect(
        graph, split, features=hg.MultiBit(2.0), labels=hg.RandomizedResponse(1.0), rng=rng
    )
    adjacency = collected_adjacency(collected, "posterior")
    assert adjacency.values is None
    assert adjacency.indices.numel() == 2 * graph.num_edges


def test_an_unknown_structure_is_answered_with_the_known_ones(collected):
    with pytest.raises(ValueError, match="did you mean 'posterior'"):
        collected_adjacency(collected, "posteriro")
