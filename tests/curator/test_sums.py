"""The cap on degrees."""

from __future__ import annotations

import numpy as np

from hushgraph.curator.sums import capped


def test_nobody_keeps_more_than_the_cap_and_dropped_edges_are_counted(graph, rng):
    degrees = np.bincount(graph.edges.ravel(), minlength=40)
    assert degrees.max() > 3
    kept, dropped = capped(graph.edges, 40, 3, rng)
    assert np.bincount(kept.ravel(), minlength=40).max() == 3
    assert dropped == graph.num_edges - kept.shape[1] > 0
    known = set(zip(*graph.edges.tolist(), strict=True))
    assert set(zip(*kept.tolist(), strict=True)) < known


def test_below_the_cap_nothing_is_dropped(graph, rng):
    kept, dropped = capped(graph.edges, 40, 40, rng)
    assert dropped == 0
    assert (kept == graph.edges).all()


def test_a_graph_without_edges_stays_so(rng):
    kept, dropped = capped(np.empty((2, 0), np.int32), 5, 2, rng)
    assert kept.shape == (2, 0)
    assert dropped == 0
