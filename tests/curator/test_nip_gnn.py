"""NIP-GNN, sound and as published."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chisquare

from hushgraph.curator import NIPGNN, PublishedNIPGNN, nip_sound
from hushgraph.curator.individual_noise import published_weights, sound_weights
from hushgraph.curator.influence import learned_influence, ranks, released_influence
from hushgraph.curator.noisy_edges import published_lists, sound_edges
from hushgraph.curator.residual import adaptive_aggregation, adjacency_with_self
from hushgraph.curator.sums import adjacency_matrix
from hushgraph.mechanisms.randomness import rarest_outcome
from hushgraph.privacy.sensitivities import Changes

STAR = np.array([[0, 0, 0, 0], [1, 2, 3, 4]], np.int32)


BOTH = [NIPGNN, PublishedNIPGNN]


def quick(epsilon=4.0, method=NIPGNN, **settings):
    return method(epsilon, **{"epochs": 2, "batch_size": 10, "random_state": 0, **settings})


@pytest.mark.parametrize("max_degree", [2, 39])
def test_the_sound_method_is_proven_whatever_is_dropped(max_degree, graph, split):
    said = quick(max_degree=max_degree, random_state=None).fit(graph, split).guarantee
    assert said.status == "proven"
    assert {part.status for part in said.parts} == {"proven"}
    assert (said.epsilon, said.delta) == (4.0, 0.0)
    assert math.fsum(part.epsilon for part in said.parts) == pytest.approx(4.0)


def test_the_published_method_is_refuted_with_reasons(graph, split):
    said = quick(method=PublishedNIPGNN, random_state=None).fit(graph, split).guarantee
    assert said.status == "refuted"
    assert "refuted, because:" in str(said)
    reasons = " ".join(said.gaps)
    for word in ("star", "noise scales depend", "influence", "largest degree", "Lemma 1", "Theorem 4"):
        assert word in reasons


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize("ablation", [{"uniform": True}, {"degree_sampling": False}, {"residual": False}])
def test_every_ablation_of_the_paper_can_be_fitted(method, ablation, graph, split):
    whole, without = (
        quick(method=method, **what).fit(graph, split).predict_proba() for what in ({}, ablation)
    )
    assert np.isfinite(without).all()
    assert (whole != without).any()


@pytest.mark.parametrize("reading", ["text", "equations"])
def test_both_readings_of_the_published_perturbation_can_be_fitted(reading, graph, split):
    assert quick(method=PublishedNIPGNN, edge_reading=reading).fit(graph, split).predict().shape == (40,)


def test_published_weights_of_a_star():
    everyone = np.arange(1, 6)
    weights = published_weights(everyone, STAR, 5)
    # The hub's only bound is its leaves' degree; the leaves' is the hub's.
    assert weights.tolist() == [4.0, 1.0, 1.0, 1.0, 1.0]
    assert published_weights(everyone, STAR[:, :2], 5)[[3, 4]].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("max_degree", [1, 3, 10])
def test_sound_weights_keep_the_budget_whoever_is_whose_neighbour(max_degree, rng):
    weights = sound_weights(ranks(rng.random(200)), max_degree, "node-removal")
    largest = np.sort(weights)[::-1]
    assert max_degree * largest[0] + largest[:max_degree].sum() == pytest.approx(2 * max_degree)
    assert weights.min() > 0.4
    assert np.argmax(weights) == np.argmax(sound_weights(ranks(weights), max_degree, "edge"))


def test_rows_are_whole_and_never_longer_than_one(rng):
    rows = nip_sound.whole_rows(rng.normal(size=(50, 300)), buckets=16)
    assert rows.shape == (50, 16)
    assert np.abs(rows).sum(axis=1).max() <= nip_sound.GRID
    assert (nip_sound.whole_rows(np.zeros((2, 3)), 16) == 0).all()
    one_hot = nip_sound.whole_rows(np.eye(3), 16)
    assert nip_sound.GRID - 1 <= one_hot.max() <= nip_sound.GRID


def test_scales_are_rounded_up():
    budget = {"degrees": 1.0, "edges": 1.0, "aggregation": 3.0}
    noise = nip_sound.Noise.planned(budget, Changes("node-removal", 2, bounded=True))
    scales, least = noise.sum_scales(np.array([1.0, 0.5])), 4 * nip_sound.GRID / 3 * np.array([1, 2])
    assert (least <= scales).all()
    assert (scales <= least + 2).all()
    with pytest.raises(ValueError, match="budget is too small"):
        nip_sound.Noise.planned(budget | {"aggregation": 1e-12}, Changes("edge", 1)).sum_scales(np.ones(1))


def test_what_is_released_has_the_noise_that_was_planned(camps, camps_split):
    """Many people without friends: their degrees, pairs and sums are noise alone."""
    lonely = replace(camps, edges=np.empty((2, 0), int))
    seen = []
    budget = {"degrees": 1.0, "edges": 2.0, "aggregation": 4.0, "labels": 1.0}
    model = NIPGNN(8.0, budget=budget, max_degree=3, uniform=True, epochs=1, random_state=0)
    model.fit(lonely, camps_split, observe=seen.append)
    assert [release.part for release in seen] == ["degrees", "edges", "aggregation", "labels"]
    # Laplace of scale 4D/ε on every sum.
    assert np.abs(seen[2].values).mean() == pytest.approx(12 / 4, rel=0.05)
    degrees = nip_sound.noisy_degrees(lonely.edges, 400, 6, "edge", 3, np.random.default_rng(0))
    assert np.mean(degrees > 7) == pytest.approx(np.exp(-7 / 6) / (1 + np.exp(-1 / 6)), abs=0.08)
    kept = (seen[3].values == lonely.labels[np.concatenate([camps_split.train, camps_split.val])]).mean()
    assert kept == pytest.approx(np.e / (1 + np.e), abs=0.1)


@pytest.mark.parametrize("epsilon", [0.1, 8.0])
def test_the_noisy_graph_is_randomised_response_thinned_by_released_degrees(epsilon):
    """A small budget is asked after thinning, a large one before: the distribution is the same."""
    people, edges = 4, np.array([[0, 0], [1, 2]], np.int32)
    degrees = np.array([2.0, 1.0, 1.0, 1.0])
    rng, public = np.random.default_rng(0), np.random.default_rng(1)
    flip = rarest_outcome(epsilon, 2) / 2**64
    share = np.sqrt(np.minimum(1, degrees / (degrees * (1 - 2 * flip) + 3 * flip)))
    counts = dict.fromkeys(combinations(range(people), 2), 0)
    draws = 20_000
    for _ in range(draws):
        for pair in zip(*sound_edges(edges, degrees, epsilon, rng, public).tolist(), strict=True):
            counts[pair] += 1
    for (low, high), count in counts.items():
        friends = (low, high) in ((0, 1), (0, 2))
        p = share[low] * share[high] * ((1 - flip) if friends else flip)
        # Six tests, each with one false alarm in 100,000 seeds.
        assert chisquare([count, draws - count], [draws * p, draws * (1 - p)]).pvalue > 1e-5


def test_a_large_graph_is_perturbed_without_its_square(rng):
    people = 200_000
    edges = np.stack([np.arange(people - 1), np.arange(1, people)]).astype(np.int32)
    noisy = sound_edges(edges, np.full(people, 2.0), 0.1, rng, np.random.default_rng(0))
    assert noisy.shape[1] == pytest.approx(people, rel=0.02)


def test_published_perturbation_keeps_degrees_by_the_equations_and_adds_nobody_by_the_text(rng):
    edges = np.array(list(combinations(range(30), 2)), np.int32).T[:, ::5]
    degrees = np.bincount(edges.ravel(), minlength=60)
    rows = [published_lists(edges, 60, 5.0, rng, sampling=True, reading="equations")[0] for _ in range(400)]
    mean = np.bincount(np.concatenate(rows), minlength=60) / 400
    np.testing.assert_allclose(mean, degrees, atol=0.6)
    person, name = published_lists(edges, 60, 5.0, rng, sampling=False, reading="text")
    known = set(zip(*np.concatenate([edges, edges[::-1]], axis=1).tolist(), strict=True))
    assert set(zip(person.tolist(), name.tolist(), strict=True)) < known


def test_influence_grows_with_the_degree(rng):
    assert np.argmax(released_influence(np.array([4.0, 1, 1, 1, 1]), adjacency_matrix(STAR, 5), 1)) == 0
    learned = learned_influence(rng.random((5, 3)), STAR, 5, 1, epochs=300)
    assert np.argmax(learned) == 0
    assert ranks(np.array([0.3, 0.1, 0.2])).tolist() == [3, 1, 2]


def test_public_influence_may_be_given(graph, split):
    by_hand = quick(influence=np.arange(40)).fit(graph, split).predict_proba()
    assert (by_hand != quick(influence=-np.arange(40)).fit(graph, split).predict_proba()).any()
    for wrong in (np.arange(3), np.full(40, np.nan)):
        with pytest.raises(ValueError, match="influence must be 40 finite numbers"):
            quick(influence=wrong).fit(graph, split)


def test_adaptive_aggregation_is_equations_14_and_15():
    torch = pytest.importorskip("torch")
    sums = torch.tensor([[1.0, 0.0], [0.0, 1.0], [4.0, 0.0]])
    adjacency = adjacency_with_self(adjacency_matrix(np.array([[0], [1]]), 3), torch.device("cpu"))
    average = torch.tensor([[0.5, 0.5], [0.5, 0.5], [4.0, 0.0]])
    change = average - sums
    gamma = (1 - 0.2 / change.norm(dim=1, keepdim=True).clamp(min=1e-12)).clamp(min=0)
    expected = (1 - gamma) * sums + gamma * average
    torch.testing.assert_close(adaptive_aggregation(sums, adjacency, 1, 0.2), expected)
    torch.testing.assert_close(adaptive_aggregation(sums, adjacency, 3, 100.0), sums)


def test_where_nothing_can_be_learned_the_sound_method_falls_back_to_frequencies(camps, camps_split):
    labels = np.where(np.arange(400) % 10 == 0, 1, 0)
    model = NIPGNN(1.0, random_state=0, epochs=5).fit(replace(camps, labels=labels), camps_split)
    assert (model.predict() == 0).all()


def test_the_published_method_claims_removal_alone(graph, split):
    with pytest.raises(ValueError, match="relation must be one of 'node-removal'"):
        quick(method=PublishedNIPGNN, relation="edge").fit(graph, split)


def test_it_was_a_variant_once(graph, split):
    with pytest.warns(FutureWarning, match="PublishedNIPGNN"):
        assert isinstance(NIPGNN(1.0, variant="published"), PublishedNIPGNN)
    with pytest.raises(ValueError, match="variant must be one of"):
        NIPGNN(1.0, variant="Sound")
    with pytest.warns(FutureWarning, match="without it"):
        assert type(NIPGNN(1.0, variant="sound")) is NIPGNN


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"device": "gpu"}, ValueError, "device must be 'auto', 'cpu'"),
        ({"uniform": "no"}, TypeError, "uniform must be True or False"),
        ({"hops": 0}, ValueError, "hops"),
        ({"buckets": 0}, ValueError, "buckets"),
    ],
)
def test_bad_settings_are_refused(settings, error, message, graph, split):
    with pytest.raises(error, match=message):
        quick(**settings).fit(graph, split)
