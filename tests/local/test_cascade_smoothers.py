"""Walks, spectra, ridges and gates against their definitions."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.local.cascade import spectra as spectra_module
from hushgraph.local.cascade.gate import Gate
from hushgraph.local.cascade.gate_fit import _Problem, fit_gate
from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.ridge import STRENGTHS, Ridge
from hushgraph.local.cascade.smoothers import Smoothers
from hushgraph.local.cascade.spectra import Spectra
from hushgraph.local.cascade.walk import HOPS, Walk
from hushgraph.sparse import Adjacency

PEOPLE = 60


@pytest.fixture
def weighted():
    """Pairs with weights as private friendships have them, and the matrix A; somebody is isolated."""
    rng = np.random.default_rng(0)
    matrix = np.triu((rng.random((PEOPLE, PEOPLE)) < 0.1) * rng.random((PEOPLE, PEOPLE)), 1)
    matrix[5], matrix[:, 5] = 0, 0
    u, v = np.nonzero(matrix)
    adjacency = Adjacency.from_edges(np.stack([u, v]), PEOPLE, weights=matrix[u, v])
    return Walk(adjacency), matrix + matrix.T


def dense_walk(matrix):
    with_oneself = matrix + np.eye(PEOPLE)
    return with_oneself / with_oneself.sum(1, keepdims=True)


class TestWalk:
    def test_hops_are_powers_of_the_walk(self, weighted):
        walk, matrix = weighted
        x = torch.randn(PEOPLE, 3)
        for k, found in zip(HOPS, walk.hops(x), strict=True):
            expected = np.linalg.matrix_power(dense_walk(matrix), k) @ x.numpy()
            np.testing.assert_allclose(found, expected, atol=1e-5)
            np.testing.assert_allclose(walk.step(x, k), expected, atol=1e-5)

    def test_stepping_back_is_the_transpose(self, weighted):
        walk, matrix = weighted
        x = torch.randn(PEOPLE, 2)
        expected = np.linalg.matrix_power(dense_walk(matrix).T, 3) @ x.numpy()
        np.testing.assert_allclose(walk.step_back(x, 3), expected, atol=1e-5)

    def test_who_has_no_friends_keeps_what_they_have(self, weighted):
        walk, _ = weighted
        x = torch.randn(PEOPLE, 2)
        assert torch.allclose(walk.step(x, 4)[5], x[5])

    def test_components_are_counted_in_people(self):
        adjacency = Adjacency.from_edges(np.array([[0, 1, 3], [1, 2, 4]]), 6)
        assert Walk(adjacency).components().tolist() == [3, 3, 3, 2, 2, 1]


def embeddings(walk: Walk) -> list[torch.Tensor]:
    spectra = Spectra(walk, torch.Generator().manual_seed(0))
    return [spectra.embedding(number) for number in range(len(spectra))]


class TestSpectra:
    def test_the_leading_eigenvectors_span_what_is_found(self):
        graph = hg.datasets.load("social", n=400, features=5, classes=2, seed=0)
        walk = Walk(Adjacency.from_edges(graph.edges, 400))
        symmetric = walk.symmetric(torch.eye(400)).numpy()
        vectors = np.linalg.eigh(symmetric)[1][:, ::-1]
        inside = (walk.components() > 3).numpy()
        found = embeddings(walk)
        # Ritz vectors are exact in the span of the first ones, and turn within it.
        leading = vectors[inside, :8]
        ridge = np.linalg.lstsq(found[-1].numpy()[inside], leading, rcond=None)[0]
        assert np.abs(found[-1].numpy()[inside] @ ridge - leading).max() < 0.1

    def test_rows_have_length_one_in_large_components_and_are_zero_in_small_ones(self):
        rng = np.random.default_rng(0)
        large = rng.integers(0, 300, (2, 2000))
        pairs = np.arange(300, 400).reshape(2, 50)
        walk = Walk(Adjacency.from_edges(np.concatenate([large, pairs], 1), 400))
        small = (walk.components() <= 3).numpy()
        for embedding in embeddings(walk):
            lengths = embedding.norm(dim=1).numpy()
            np.testing.assert_allclose(lengths[~small], 1, atol=1e-4)
            assert not lengths[small].any()

    @pytest.mark.parametrize("people", [1, 3, 50])
    def test_a_graph_may_have_fewer_people_than_vectors_or_no_edges(self, people):
        walk = Walk(Adjacency.from_edges(np.zeros((2, 0), int), people))
        for embedding in embeddings(walk):
            assert embedding.isfinite().all()

    def test_a_ridge_is_made_when_it_is_first_taken_and_once(self):
        walk = Walk(Adjacency.from_edges(np.array([[0, 1, 2], [1, 2, 3]]), 4))
        spectra = Spectra(walk, torch.Generator().manual_seed(0))
        with mock.patch.object(spectra_module, "Ridge", wraps=Ridge) as made:
            assert spectra[2] is spectra[2]
        assert made.call_count == 1


def test_a_ridge_is_its_hat_matrix():
    embedding = torch.randn(50, 8)
    x = torch.randn(50, 3)
    for strength, found in zip(STRENGTHS, Ridge(embedding)(x), strict=True):
        inner = embedding.T @ embedding + strength * 50 / 8 * torch.eye(8)
        expected = embedding @ torch.linalg.solve(inner, embedding.T @ x)
        assert torch.allclose(found, expected, atol=1e-4)


def test_views_are_smoothed_apart(weighted):
    walk, _ = weighted
    ridge = Ridge(torch.randn(PEOPLE, 4))
    beliefs = torch.randn(3, PEOPLE, 2)
    together = Smoothers([walk], [ridge], [])(beliefs, 0)
    each = Smoothers([walk] * 3, [ridge], [])(beliefs, 0)
    one = Smoothers([walk], [ridge], [])(beliefs[1:2], 0)
    assert together.shape[2] == len(HOPS) + len(STRENGTHS)
    assert torch.allclose(together, each, atol=1e-5)
    assert torch.allclose(together[1], one[0], atol=1e-5)


class TestGate:
    def reports(self, labels, keep=0.7):
        other = (1 - keep) / 2
        return LabelReports(
            torch.arange(len(labels)), labels, torch.full((len(labels),), keep),
            torch.full((len(labels),), other), len(labels), 3,
        )  # fmt: skip

    def test_logits_are_its_formula(self):
        torch.manual_seed(0)
        gate = Gate(torch.randn(4, 3, 3), torch.randn(4), torch.randn(3))
        channels, degree = torch.randn(10, 4, 3), torch.randn(10)
        expected = gate.bias + torch.einsum("nsc,scd->nd", channels, gate.mixing)
        expected += degree.unsqueeze(1) * torch.einsum("nsc,s->nc", channels, gate.by_degree)
        groups = [channels[:, :1], channels[:, 1:]]
        assert torch.allclose(gate.logits(groups, degree), expected, atol=1e-5)

    def test_the_gradient_is_that_of_the_loss(self):
        torch.manual_seed(0)
        labels = torch.randint(0, 3, (200,))
        problem = _Problem(
            torch.randn(200, 2, 3), torch.randn(200), self.reports(labels), torch.full((3,), 1 / 3)
        )
        rng = np.random.default_rng(0)
        position = 0.3 * rng.standard_normal(problem.first.size)
        _, gradient = problem(position)
        for direction in rng.standard_normal((5, position.size)):
            ahead, behind = (problem(position + step * direction)[0] for step in (1e-2, -1e-2))
            assert (ahead - behind) / 2e-2 == pytest.approx(gradient @ direction, rel=1e-2, abs=0.05)

    def test_it_believes_the_channel_that_tells_and_not_the_one_that_does_not(self):
        torch.manual_seed(0)
        classes = torch.randint(0, 3, (4000,))
        reports = self.reports(torch.where(torch.rand(4000) < 0.7, classes, (classes + 1) % 3))
        telling = torch.nn.functional.one_hot(classes, 3) + 0.7 * torch.randn(4000, 3)
        channels = torch.stack([telling, torch.randn(4000, 3)], 1)
        gate, _ = fit_gate(channels, torch.zeros(4000), reports, torch.full((3,), 1 / 3))
        told, not_told = gate.mixing.diagonal(dim1=1, dim2=2).mean(1)
        assert told > 10 * abs(not_told)

    def test_without_evidence_the_shares_are_left(self):
        shares = torch.tensor([0.5, 0.3, 0.2])
        reports = self.reports(torch.randint(0, 3, (4,)), keep=1 / 3)
        gate, _ = fit_gate(torch.zeros(4, 2, 3), torch.zeros(4), reports, shares)
        assert torch.allclose(
            gate.logits([torch.zeros(4, 2, 3)], torch.zeros(4)).softmax(1), shares, atol=1e-3
        )
