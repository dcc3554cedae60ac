"""Factored and dense features are the same features."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

import hushgraph as hg
from hushgraph.denoise import denoised_features
from hushgraph.denoise.denoised import dense_is_cheaper
from hushgraph.sparse import Adjacency, DenseFeatures, FactoredFeatures


def collection(epsilon: float, *, answered=None, low=0.0, high=1.0) -> hg.CollectedGraph:
    rng = np.random.default_rng(3)
    features = sp.random_array((60, 25), density=0.2, rng=rng, dtype=np.float32).tocsr()
    graph = hg.Graph(rng.integers(0, 59, (2, 150)), features, rng.integers(0, 3, 60), num_classes=3)
    split = hg.random_split(graph, train=0.5, val=0.25, seed=0)
    mechanism = hg.MultiBit(epsilon, low, high)
    return hg.collect(
        graph, split, features=mechanism, labels=hg.RandomizedResponse(1.0), rng=rng, answered=answered
    )


def denoised(collected, adjacency, steps, *rest, **how):
    answered = None if collected.answered.all() else torch.from_numpy(collected.answered)
    return denoised_features(
        collected.features, adjacency, steps, *rest, weights=answered, midpoint=collected.midpoint, **how
    )


CASES = {
    "one bit each": collection(1.0),
    "several bits each": collection(9.0),
    "another range": collection(1.0, low=-2.0, high=3.0),
    "raw sparse values": collection(np.inf),
    "some never answered": collection(1.0, answered=np.arange(0, 60, 2)),
    "raw values, some never answered": collection(np.inf, answered=np.arange(0, 60, 2)),
    "few answered": collection(1.0, answered=np.arange(4)),
}


@pytest.mark.slow
@pytest.mark.parametrize("steps", [0, 1, 4])
@pytest.mark.parametrize("aggregation", ["gcn", "mean", "sum"])
@pytest.mark.parametrize("case", CASES)
def test_both_forms_agree_to_1e_5_in_outputs_and_gradients(case, aggregation, steps):
    collected = CASES[case]
    adjacency = Adjacency.from_edges(collected.edges, collected.num_nodes)
    results = []
    for form in ("factored", "dense"):
        features = denoised(collected, adjacency, steps, aggregation, form=form)
        weight = torch.randn(25, 6, generator=torch.Generator().manual_seed(0)).requires_grad_()
        output = features @ weight
        (output * torch.linspace(-1, 1, output.numel()).view_as(output)).sum().backward()
        results.append((output.detach(), weight.grad))
    for factored, dense in zip(*results, strict=True):
        torch.testing.assert_close(factored, dense, rtol=1e-5, atol=1e-5 * dense.abs().max().item())


@pytest.mark.parametrize("case", CASES)
def test_the_factored_form_is_kprop_of_the_estimate(case):
    """Against the formula on the dense estimate, which shares no code with the factored form."""
    collected = CASES[case]
    adjacency = Adjacency.from_edges(collected.edges, collected.num_nodes)
    answered = torch.from_numpy(collected.answered)
    estimate = torch.from_numpy(collected.features.toarray())
    expected = hg.kprop(estimate, adjacency, 2, "gcn", weights=answered, midpoint=collected.midpoint)
    features = denoised(collected, adjacency, 2, "gcn", form="factored")
    torch.testing.assert_close(features.dense(), expected, rtol=1e-5, atol=1e-5 * expected.abs().max().item())


def test_what_stands_in_the_rows_of_people_who_never_answered_is_ignored():
    collected = CASES["some never answered"]
    full = CASES["one bit each"].features
    adjacency = Adjacency.from_edges(collected.edges, collected.num_nodes)
    expected = hg.kprop(
        torch.from_numpy(full.toarray()),
        adjacency,
        2,
        weights=torch.from_numpy(collected.answered),
        midpoint=0.5,
    )
    features = denoised_features(
        full, adjacency, 2, weights=torch.from_numpy(collected.answered), midpoint=0.5, form="factored"
    )
    torch.testing.assert_close(features.dense(), expected, rtol=1e-5, atol=1e-5 * expected.abs().max().item())


def test_reports_of_all_features_stay_dense():
    rng = np.random.default_rng(0)
    graph = hg.Graph([[0, 1], [1, 2]], rng.random((3, 4)), [0, 1, 0])
    split = hg.Split(np.array([0, 1]), np.array([2]), np.array([], np.int64))
    collected = hg.collect(graph, split, features=hg.Laplace(1.0), labels=hg.RandomizedResponse(1.0), rng=rng)
    adjacency = Adjacency.from_edges(collected.edges, 3)
    features = denoised(collected, adjacency, 2)
    assert isinstance(features, DenseFeatures)
    torch.testing.assert_close(features.dense(), hg.kprop(torch.from_numpy(collected.features), adjacency, 2))
    with pytest.raises(ValueError, match="needs sparse reports"):
        denoised(collected, adjacency, 2, form="factored")


@pytest.mark.slow
def test_the_cost_model_takes_the_dense_form_only_where_it_pays():
    collected = CASES["one bit each"]
    adjacency = Adjacency.from_edges(collected.edges, collected.num_nodes)
    assert not dense_is_cheaper(collected.features, adjacency, steps=2, width=32, epochs=500)
    assert dense_is_cheaper(collected.features, adjacency, steps=500, width=32, epochs=10**6)
    assert isinstance(denoised(collected, adjacency, 2), FactoredFeatures)
    assert isinstance(denoised(collected, adjacency, 500, epochs=10**6), DenseFeatures)


@pytest.mark.parametrize("aggregation", ["gcn", "mean"])
def test_weighted_reports_are_averaged_by_their_weights_in_both_forms(aggregation):
    """Against the weighted mean written out on dense matrices."""
    collected = CASES["several bits each"]
    adjacency = Adjacency.from_edges(collected.edges, collected.num_nodes)
    weights = torch.from_numpy(np.random.default_rng(1).choice([0.0, 0.25, 1.0], 60))
    power = adjacency.propagate(torch.eye(60), aggregation, 2)
    estimate = torch.from_numpy(collected.features.toarray())
    reach = power @ weights.float()
    known = (power @ (weights[:, None].float() * (estimate - 0.5))) * (power.sum(1) / reach)[:, None]
    expected = torch.where(reach[:, None] > 0, known, 0.0) + 0.5 * power.sum(1)[:, None]
    for form in ("factored", "dense"):
        features = denoised_features(
            collected.features, adjacency, 2, aggregation, weights=weights, midpoint=0.5, form=form
        )
        torch.testing.assert_close(features.dense(), expected, rtol=1e-4, atol=1e-3)
