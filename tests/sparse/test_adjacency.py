"""The graph as an operator agrees with the matrix that the paper writes down."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hushgraph.sparse import Adjacency

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


@pytest.mark.slow
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


@pytest.fixture
def lists() -> np.ndarray:
    """A directed graph as a matrix of zeros and ones; persons 0 and 7 name nobody, nobody names person 8."""
    named = np.random.default_rng(6).random((12, 12)) < 0.3
    named[[0, 7]] = named[:, 8] = False
    np.fill_diagonal(named, False)
    return named


def directed(named: np.ndarray) -> Adjacency:
    return Adjacency.from_lists(np.concatenate([[0], named.sum(1).cumsum()]), np.nonzero(named)[1])


def aggregated(a: torch.Tensor, aggregation: str) -> torch.Tensor:
    """The dense matrix of an aggregation with weights, from its definition; the degree is a row's sum."""
    degree = a.sum(1)
    inverse = torch.where(degree > 0, 1 / degree, torch.zeros_like(degree))
    if aggregation == "sum":
        return a
    return inverse[:, None] * a if aggregation == "mean" else inverse.sqrt()[:, None] * a * inverse.sqrt()


@pytest.mark.slow
@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_lists_are_directed_and_so_are_their_gradients(lists, aggregation):
    adjacency = directed(lists)
    x = torch.randn(12, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    dense = aggregated(torch.from_numpy(lists).double(), aggregation)
    expected = torch.linalg.matrix_power(dense, 2) @ x
    torch.testing.assert_close(adjacency.propagate(x, aggregation, 2), expected, atol=1e-5, rtol=1e-5)
    single = adjacency.propagate(x.float(), aggregation, 2)
    torch.testing.assert_close(single.double(), expected, atol=1e-5, rtol=1e-5)
    x.requires_grad_()
    assert torch.autograd.gradcheck(lambda value: adjacency.propagate(value, aggregation, 2), x, atol=1e-5)


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_weights_count_in_sums_and_degrees(edges, aggregation):
    unique = np.unique(np.sort(edges[:, edges[0] != edges[1]], 0), axis=1)
    weights = np.random.default_rng(7).random(unique.shape[1])
    a = torch.zeros(20, 20)
    for (u, v), weight in zip(unique.T, weights, strict=True):
        a[u, v] = a[v, u] = weight
    adjacency = Adjacency.from_edges(unique, 20, "cpu", weights)
    x = torch.randn(20, 3, generator=torch.Generator().manual_seed(4), requires_grad=True)
    expected = torch.linalg.matrix_power(aggregated(a, aggregation), 2) @ x
    torch.testing.assert_close(adjacency.propagate(x, aggregation, 2), expected)
    (ours,) = torch.autograd.grad(adjacency.propagate(x, aggregation, 2).pow(2).sum(), x)
    (theirs,) = torch.autograd.grad(expected.pow(2).sum(), x)
    torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_weights_that_are_learned_get_the_gradient_of_the_dense_matrix(lists, aggregation, monkeypatch):
    monkeypatch.setattr("hushgraph.sparse.adjacency.BLOCK", 5)
    rng = torch.Generator().manual_seed(5)
    values = torch.rand(int(lists.sum()), generator=rng)
    values[:4] = 0
    x = torch.randn(12, 3, generator=rng)
    a = torch.zeros(12, 12)
    a[torch.from_numpy(lists)] = values
    ours, theirs = (x.clone().requires_grad_() for _ in range(2))
    values.requires_grad_()
    a.requires_grad_()
    dense = aggregated(a, aggregation)
    expected = dense @ (dense @ theirs)
    result = directed(lists).with_values(values).propagate(ours, aggregation, 2)
    torch.testing.assert_close(result, expected)
    result.sin().sum().backward()
    expected.sin().sum().backward()
    torch.testing.assert_close(ours.grad, theirs.grad, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(values.grad, a.grad[torch.from_numpy(lists)], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_each_direction_of_an_undirected_edge_can_have_its_own_weight(edges, aggregation):
    both = Adjacency.from_edges(edges, 20)
    values = torch.rand(both.indices.numel(), generator=torch.Generator().manual_seed(8))
    a = torch.zeros(20, 20)
    a[both.rows, both.indices.long()] = values
    x = torch.randn(20, 3, generator=torch.Generator().manual_seed(9), requires_grad=True)
    expected = torch.linalg.matrix_power(aggregated(a, aggregation), 2) @ x
    result = both.with_values(values).propagate(x, aggregation, 2)
    torch.testing.assert_close(result, expected)
    (ours,), (theirs,) = (torch.autograd.grad(y.sin().sum(), x) for y in (result, expected))
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("weights", [[1.0, -1.0], [1.0, float("nan")], [1.0]])
def test_weights_that_are_none_are_refused(weights):
    with pytest.raises(ValueError, match="weights must be numbers ≥ 0, one for each edge"):
        Adjacency.from_edges([[0, 1], [1, 2]], 3, "cpu", weights)


def test_other_values_leave_the_graph_as_it_was(lists):
    adjacency = directed(lists)
    before = adjacency.degree.clone()
    halved = adjacency.with_values(torch.full((int(lists.sum()),), 0.5))
    torch.testing.assert_close(halved.degree, before / 2)
    torch.testing.assert_close(adjacency.degree, before)
    x = torch.randn(12, 2)
    torch.testing.assert_close(halved.propagate(x, "mean"), adjacency.propagate(x, "mean"))


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
