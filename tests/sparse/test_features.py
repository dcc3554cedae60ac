"""Features that are never built: products with a weight, and their gradients."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from hushgraph.sparse import Adjacency, DenseFeatures, FactoredFeatures, features

NODES, COLUMNS = 6, 9


@pytest.fixture
def matrix(rng):
    return sp.csr_array(rng.random((NODES, COLUMNS)) * (rng.random((NODES, COLUMNS)) < 0.3)).astype(
        np.float32
    )


@pytest.fixture
def adjacency():
    return Adjacency.from_edges([[0, 1, 2, 3, 0], [1, 2, 3, 4, 4]], NODES)


@pytest.fixture(params=["plain", "scaled and shifted"])
def factored(request, matrix, adjacency, rng):
    rows = {}
    if request.param != "plain":
        rows = {name: torch.from_numpy(rng.random(NODES)).float() for name in ("row_scale", "row_offset")}
    return FactoredFeatures(matrix, adjacency, 2, "gcn", **rows)


def written_out(factored, matrix):
    """r ⊙ A² S + o 1ᵀ, on dense matrices."""
    hops = factored.adjacency.propagate(torch.from_numpy(matrix.toarray()), "gcn", 2)
    if factored.row_scale is not None:
        hops = hops * factored.row_scale
    return hops if factored.row_offset is None else hops + factored.row_offset.unsqueeze(1)


def test_a_product_is_that_of_the_matrix_it_stands_for(factored, matrix):
    weight = torch.randn(COLUMNS, 4, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(factored @ weight, written_out(factored, matrix) @ weight)
    assert factored.shape == (NODES, COLUMNS)


def test_the_gradient_of_the_weight_is_the_transposed_product(factored, matrix):
    weight = torch.zeros(COLUMNS, 3, requires_grad=True)
    towards = torch.randn(NODES, 3, generator=torch.Generator().manual_seed(1))
    (factored @ weight).backward(towards)
    torch.testing.assert_close(weight.grad, written_out(factored, matrix).t() @ towards)


@pytest.mark.parametrize("at_a_time", [1, 4, 256])
def test_the_dense_matrix_is_built_in_blocks_of_columns(factored, matrix, monkeypatch, at_a_time):
    monkeypatch.setattr(features, "COLUMNS", at_a_time)
    torch.testing.assert_close(factored.dense(), written_out(factored, matrix))


def test_dense_features_are_the_matrix_they_hold():
    held = torch.arange(6.0).view(2, 3)
    dense = DenseFeatures(held)
    assert dense.dense() is held
    assert dense.shape == (2, 3)
    assert torch.equal(dense @ torch.eye(3), held)
