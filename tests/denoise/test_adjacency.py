"""The graph as an operator agrees with the matrix that the paper writes down."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hushgraph.denoise import Adjacency

AGGREGATIONS = ("gcn", "mean", "sum")


def matrix(edges: np.ndarray, nodes: int, aggregation: str) -> torch.Tensor:
    """The dense matrix of an aggregation, entry by entry from its definition."""
    a = np.zeros((nodes, nodes))
    for u, v in edges.T:
        if u != v:
            a[u, v] = a[v, u] = 1
    degree = a.sum(1)
    for v, u in zip(*np.nonzero(a), strict=True):
        a[v, u] = {"sum": 1, "mean": 1 / degree[v], "gcn": 1 / np.sqrt(degree[u] * degree[v])}[aggregation]
    return torch.from_numpy(a).float()


@pytest.fixture
def edges() -> np.ndarray:
    """Random pairs with duplicates, both directions and self-loops; node 19 is isolated."""
    return np.random.default_rng(5).integers(0, 19, (2, 60))


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_propagation_is_a_power_of_the_matrix(edges, aggregation, steps):
    x = torch.randn(20, 5, generator=torch.Generator().manual_seed(0))
    expected = torch.linalg.matrix_power(matrix(edges, 20, aggregation), steps) @ x
    torch.testing.assert_close(Adjacency.from_edges(edges, 20).propagate(x, aggregation, steps), expected)


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_the_gradient_is_the_transposed_power(edges, aggregation):
    adjacency = Adjacency.from_edges(edges, 20)
    x = torch.randn(
        20, 3, dtype=torch.float64, requires_grad=True, generator=torch.Generator().manual_seed(1)
    )
    assert torch.autograd.gradcheck(
        lambda value: adjacency.propagate(value, aggregation, 3), x, atol=1e-5, eps=1e-4
    )


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_single_and_double_precision_take_different_kernels_and_agree(edges, aggregation):
    adjacency = Adjacency.from_edges(edges, 20)
    x = torch.randn(20, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    single = adjacency.propagate(x.float(), aggregation, 2)
    torch.testing.assert_close(single.double(), adjacency.propagate(x, aggregation, 2), atol=1e-5, rtol=1e-5)


def test_isolated_nodes_receive_zero(edges):
    x = torch.ones(20, 2)
    for aggregation in AGGREGATIONS:
        assert Adjacency.from_edges(edges, 20).propagate(x, aggregation, 1)[19].tolist() == [0.0, 0.0]


def test_a_graph_without_edges_propagates_zeros():
    adjacency = Adjacency.from_edges(np.zeros((2, 0), np.int64), 4)
    assert adjacency.propagate(torch.ones(4, 2), "gcn", 2).count_nonzero() == 0
    assert adjacency.edge_index.shape == (2, 0)


def test_edge_index_holds_both_directions_once(edges):
    index = Adjacency.from_edges(edges, 20).edge_index
    pairs = set(map(tuple, index.T.tolist()))
    assert len(pairs) == index.shape[1]
    assert pairs == {(v, u) for u, v in pairs}
    assert all(u != v for u, v in pairs)


def test_many_duplicates_of_an_edge_are_one_edge():
    edges = np.tile([[0, 1], [1, 0]], 300)
    assert Adjacency.from_edges(edges, 2).degree.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"aggregation": "median"}, "aggregation must be one of 'gcn', 'mean', 'sum'; got 'median'"),
        ({"steps": -1}, "steps must be a whole number ≥ 0, got -1"),
        ({"x": torch.ones(3, 2)}, "x must have 20 rows"),
    ],
)
def test_bad_arguments_are_named(edges, arguments, message):
    with pytest.raises(ValueError, match=message):
        Adjacency.from_edges(edges, 20).propagate(**{"x": torch.ones(20, 2)} | arguments)


def test_edges_to_nobody_are_refused():
    with pytest.raises(ValueError, match="outside 0 … 3"):
        Adjacency.from_edges([[0], [4]], 4)
