"""Undirected edges in one form, and in both directions."""

from __future__ import annotations

import numpy as np
import pytest

from hushgraph.edges import both_directions, canonical_edges


def test_each_edge_stands_once_smaller_end_first_and_what_was_dropped_is_counted():
    edges, loops, duplicates = canonical_edges([[3, 0, 1, 2, 1], [1, 2, 3, 2, 3]], num_nodes=4)
    assert edges.tolist() == [[0, 1], [2, 3]]
    assert edges.dtype == np.int32
    assert (loops, duplicates) == (1, 2)


def test_edges_that_are_in_form_are_not_copied():
    already, _, _ = canonical_edges([[0, 0, 1], [1, 2, 2]], num_nodes=3)
    again, *dropped = canonical_edges(already, num_nodes=3)
    assert again is already
    assert dropped == [0, 0]


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([[0, 1, 2]], r"shape \(2, E\), got \(1, 3\)"),
        ([[0.5], [1.0]], "whole numbers, got float64"),
        ([[0], [4]], "edges name node 4, but nodes are numbered 0 to 3"),
        ([[-1], [2]], "edges name node -1"),
    ],
)
def test_what_are_no_edges_is_refused(edges, message):
    with pytest.raises(ValueError, match=message):
        canonical_edges(edges, num_nodes=4)


def test_in_both_directions_every_edge_stands_in_the_rows_of_both_its_ends(graph):
    person, name = both_directions(graph.edges)
    matrix = np.zeros((graph.num_nodes, graph.num_nodes), int)
    np.add.at(matrix, (person, name), 1)
    assert (matrix == matrix.T).all()
    assert matrix.max() == 1
    assert person.size == 2 * graph.num_edges


def test_both_directions_count_people_in_64_bits():
    assert both_directions(np.array([[0], [1]], np.int32)).dtype == np.int64
    assert both_directions(np.empty((2, 0), np.int32)).shape == (2, 0)
