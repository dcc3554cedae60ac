"""The test of whether features tell anything, and features as an operator."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
import torch

import hushgraph as hg
from hushgraph.collection.features_replaced import without_features
from hushgraph.local.cascade.feature_embedding import feature_embeddings
from hushgraph.local.cascade.feature_evidence import feature_evidence
from hushgraph.local.cascade.friends import Friends
from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.reported_features import ReportedFeatures
from hushgraph.local.cascade.surroundings import Surroundings

CPU = torch.device("cpu")
# How often a correct test of evidence fails here.
FALSE_ALARM = 1e-3
MECHANISMS = [hg.MultiBit(1.0), hg.OneBit(1.0), hg.Laplace(1.0), hg.AnalyticGaussian(1.0, 1e-5)]


@pytest.fixture(scope="module")
def alike() -> hg.Graph:
    """People who differ in nothing but friends and class: their features are one number."""
    graph = hg.datasets.load("social", n=500, features=40, classes=3, seed=0)
    return hg.Graph(graph.edges, np.full((500, 40), 0.3, np.float32), graph.labels, num_classes=3)


def evidence(graph, mechanism, seed, **options):
    rng = np.random.default_rng([seed, 7])
    split = hg.random_split(graph, train=0.5, val=0.25, seed=seed)
    labels = hg.RandomizedResponse(1.0)
    collected = hg.collect(graph, split, features=mechanism, labels=labels, rng=rng, **options)
    walk = Friends(collected, CPU).without_labels
    return feature_evidence(ReportedFeatures(collected, CPU), walk, LabelReports.of(collected), rng)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_of_noise_it_is_standard_normal(alike, mechanism):
    found = [evidence(alike, mechanism, seed) for seed in range(100)]
    assert scipy.stats.kstest(found, "norm").pvalue > FALSE_ALARM / len(MECHANISMS)
    assert np.var(found) < scipy.stats.chi2.isf(FALSE_ALARM / len(MECHANISMS), 99) / 99


def test_missing_answers_and_levels_leave_it_standard_normal(alike):
    levels = np.random.default_rng(0).integers(0, 2, 500)
    answered = np.random.default_rng(1).permutation(500)[:350]
    two = [hg.MultiBit(0.5), hg.MultiBit(3.0)]
    found = [
        evidence(alike, two, seed, levels={"features": levels}, answered=answered) for seed in range(100)
    ]
    assert scipy.stats.kstest(found, "norm").pvalue > FALSE_ALARM


def test_of_features_that_tell_it_is_large_and_grows_with_the_budget():
    graph = hg.datasets.load("social", n=2000, features=40, classes=3, seed=0)
    weak, strong = (evidence(graph, hg.MultiBit(epsilon), 0) for epsilon in (2.0, np.inf))
    assert strong > 10
    assert strong > weak


def collection(graph, **options):
    split = hg.random_split(graph, train=0.5, val=0.25, seed=0)
    rng = np.random.default_rng(0)
    return hg.collect(graph, split, rng=rng, **{"labels": hg.RandomizedResponse(1.0)} | options)


@pytest.mark.parametrize("mechanism", [hg.MultiBit(1.0), hg.MultiBit(np.inf), hg.Laplace(2.0)])
def test_products_are_those_of_the_centred_matrix(alike, mechanism):
    answered = np.arange(0, 500, 2)
    collected = collection(alike, features=mechanism, answered=answered)
    given = collected.features
    dense = given.toarray() if hasattr(given, "toarray") else given
    expected = np.zeros_like(dense)
    expected[answered] = dense[answered] - dense[answered].mean(0)
    features = ReportedFeatures(collected, CPU)
    right, left = torch.randn(40, 3), torch.randn(500, 3)
    scale = max(np.abs(expected).sum(1).max(), 1.0)
    np.testing.assert_allclose(features.times(right), expected @ right.numpy(), atol=1e-5 * scale)
    np.testing.assert_allclose(features.transposed_times(left), expected.T @ left.numpy(), atol=1e-3 * scale)


def test_a_noisier_level_counts_less(alike):
    levels = np.arange(500) % 2
    two = [hg.MultiBit(0.5), hg.MultiBit(3.0)]
    collected = collection(alike, features=two, levels={"features": levels})
    lengths = ReportedFeatures(collected, CPU).times(torch.eye(40)).norm(dim=1)
    unweighted = torch.from_numpy(collected.features.toarray() - collected.features.mean()).norm(dim=1)
    assert (lengths / unweighted)[levels == 0].mean() < 0.5 * (lengths / unweighted)[levels == 1].mean()


def test_components_are_those_of_an_exact_decomposition():
    rng = np.random.default_rng(0)
    low_rank = rng.standard_normal((200, 4)) @ rng.standard_normal((4, 30))
    exact = torch.from_numpy(low_rank.astype(np.float32))
    features = SimpleNamespace(
        num_people=200,
        num_features=30,
        times=lambda right: exact @ right,
        transposed_times=lambda left: exact.T @ left,
    )
    graph = hg.Graph(rng.integers(0, 200, (2, 400)), np.ones((200, 1)), np.arange(200) % 2)
    walk = Friends(collection(graph, features=None), CPU).without_labels
    own, around = feature_embeddings(features, walk, torch.Generator().manual_seed(0))
    assert own.shape == around.shape == (200, 30)
    centred = exact - exact.mean(0)
    left, lengths, _ = torch.linalg.svd(centred, full_matrices=False)
    expected = left[:, :4] * lengths[:4].sqrt()
    expected /= expected.norm(dim=1, keepdim=True)
    # Signs are anybody's choice; which directions people share is not.
    assert torch.allclose(own @ own.T, expected @ expected.T, atol=0.05)


@pytest.mark.parametrize("private", [False, True], ids=["public graph", "private lists, levels"])
def test_features_that_tell_nothing_change_nothing_bit_for_bit(private, monkeypatch):
    graph = hg.datasets.load("social", n=200, features=30, classes=3, seed=2)
    levels = {name: np.arange(200) % 2 for name in ("features", "label")}
    asked = {"features": hg.MultiBit(0.1)}
    if private:
        asked = {
            "features": [hg.MultiBit(0.1), hg.MultiBit(0.2)], "levels": levels, "answered": range(190),
            "labels": [hg.RandomizedResponse(1.0), hg.RandomizedResponse(3.0)],
            "edges": hg.AdjacencyRandomizedResponse(6.0),
        }  # fmt: skip
    collected = collection(graph, **asked)
    found, original = [], Surroundings.evidence
    monkeypatch.setattr(Surroundings, "evidence", lambda *words: found.append(original(*words)) or found[-1])
    with_features = hg.Cascade(random_state=5).fit(collected)
    # What it says beforehand is what the fit finds, of all reports and of those without each part.
    within, found[:] = tuple(found), []
    assert hg.Cascade(random_state=5).evidence(collected) == within
    assert len(within) == 6
    assert hg.Cascade(random_state=5).ignores_features(collected)
    without = hg.Cascade(random_state=5).fit(without_features(collected))
    assert with_features.feature_evidence_ == within[0]
    assert np.array_equal(with_features.proba_, without.proba_)
    assert with_features.accuracy_estimate_ == without.accuracy_estimate_


def test_features_that_tell_something_and_do_not_help_change_nothing_bit_for_bit(camps_collected):
    """Friends say it all: features pass the test, and reports are no likelier with them."""
    told = []
    model = hg.Cascade().fit(camps_collected, progress=lambda done, of, _: told.append((done, of)))
    without = hg.Cascade().fit(without_features(camps_collected))
    assert model.feature_evidence_ > 3
    assert not model.uses_features_
    assert np.array_equal(model.proba_, without.proba_)
    assert model.accuracy_estimate_ == without.accuracy_estimate_
    assert told[-1] == (2 * model.steps, 2 * model.steps)
