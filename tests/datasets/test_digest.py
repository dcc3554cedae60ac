from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from hushgraph.datasets.digest import content_digest
from hushgraph.graph import Graph


def test_the_digest_ignores_the_order_of_edges_and_how_features_are_stored(small_graph):
    stored_zero = sp.csr_array(small_graph.features)
    stored_zero = sp.csr_array(
        (np.append(stored_zero.data, 0.0), np.append(stored_zero.indices, 0), [0, 1, 2, 2, 6]), shape=(4, 3)
    )
    other = Graph(small_graph.edges[::-1, ::-1], stored_zero, small_graph.labels, name="other")
    assert content_digest(other) == content_digest(small_graph)


@pytest.mark.parametrize(
    "change",
    [
        {"edges": [[0, 1, 0], [1, 2, 3]]},
        {"labels": np.array([0, 2, 1, 1])},
        {"features": np.array([[0.5, 0, 0], [0, 2, 0], [0, 0, 0], [1, 1, 2]])},
        {"features": np.array([[0.5, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0]])},
    ],
)
def test_any_change_of_the_content_changes_the_digest(small_graph, change):
    assert content_digest(replace(small_graph, **change)) != content_digest(small_graph)


def test_without_features_the_digest_covers_edges_and_labels(small_graph):
    other = replace(small_graph, features=np.ones((4, 9)))
    assert content_digest(other, features=False) == content_digest(small_graph, features=False)
    relabelled = replace(small_graph, labels=np.array([1, 2, -1, 1]))
    assert content_digest(relabelled, features=False) != content_digest(small_graph, features=False)
