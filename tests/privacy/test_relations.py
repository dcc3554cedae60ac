"""The cap on degrees, and δ."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from hushgraph.privacy.relations import capped, checked_delta, delta_by_rule, described


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


@pytest.mark.parametrize(
    ("people", "delta"), [(5, 0.1), (10, 0.01), (999, 1e-3), (1000, 1e-4), (22_470, 1e-5)]
)
def test_delta_by_rule_is_the_largest_power_of_ten_below_one_over_n(people, delta):
    assert delta_by_rule(people) == delta < 1 / people <= 10 * delta


def test_a_delta_that_means_nothing_is_warned_about_with_the_reason():
    with pytest.warns(UserWarning, match="not below 1/n = 0.01: publishing the data of a few people"):
        assert checked_delta(0.01, 100) == 0.01
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert checked_delta(0.009, 100) == 0.009


def test_words_say_which_graphs_are_neighbours():
    assert "one friendship" in described("edge", 5)
    assert "add/remove" in described("node-removal", 5)
    assert "more than 5 friends" in described("node-removal", 5)
    assert "replacement" in described("node-replacement", None)
