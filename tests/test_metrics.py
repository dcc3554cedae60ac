"""Accuracy and its interval."""

from __future__ import annotations

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.metrics import mean_and_interval, student_half_width


class Fixed:
    def __init__(self, classes):
        self.classes = np.asarray(classes)

    def predict(self):
        return self.classes


def test_accuracy_counts_the_named_nodes_only(graph):
    predicted = np.where(np.arange(40) < 20, graph.labels, (graph.labels + 1) % 3)
    assert hg.accuracy(Fixed(predicted), graph, [5, 6, 7, 30]) == 0.75


@pytest.mark.parametrize(
    ("nodes", "message"),
    [([], "at least one node"), ([0], "no label"), ([40], "names node 40"), ([2, 2], "more than once")],
)
def test_bad_nodes_are_refused(graph, nodes, message):
    with pytest.raises(ValueError, match=message):
        hg.accuracy(Fixed(graph.labels), graph, nodes)


def test_a_model_of_another_graph_is_refused(graph):
    with pytest.raises(ValueError, match="predicts 3 people, but the graph has 40"):
        hg.accuracy(Fixed([0, 1, 2]), graph, [5])


def test_the_interval_covers_the_mean_about_95_times_in_100():
    """300 samples of 30 normal numbers: the share lies in [0.88, 0.99] with probability above 0.9999."""
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(300):
        mean, half_width = mean_and_interval(rng.normal(size=30), samples=300)
        covered += abs(mean) <= half_width
    assert 0.88 <= covered / 300 <= 0.99


def test_of_three_repeats_students_interval_covers_where_the_bootstrap_does_not():
    """1,000 samples of 3 normal numbers: each share is this far off with probability below 0.001."""
    rng = np.random.default_rng(0)
    bootstrap = student = 0
    for values in rng.normal(size=(1000, 3)):
        mean, half_width = mean_and_interval(values, samples=300)
        bootstrap += abs(mean) <= half_width
        student += abs(mean) <= student_half_width(values)
    assert bootstrap / 1000 == pytest.approx(0.76, abs=0.05)
    assert student / 1000 == pytest.approx(0.95, abs=0.03)


def test_a_single_run_has_no_interval():
    assert mean_and_interval([0.5]) == (0.5, 0.0)
    assert student_half_width([0.5]) == np.inf
    with pytest.raises(ValueError, match="at least one number"):
        mean_and_interval([])
