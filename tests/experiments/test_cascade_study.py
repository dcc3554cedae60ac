"""Studies measure the cascade on the reports that networks learn from."""

from __future__ import annotations

import pytest

import hushgraph as hg
from hushgraph.datasets import read
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.studies import lpgnn, solitude
from hushgraph.repeats import Setting, repeat

NONE = Hyperparameters("nobody", {}, {})


def ignore(_share):
    pass


def test_a_cell_may_name_it_and_needs_no_hyperparameters(graph_file):
    graph = read(graph_file)
    cell = lpgnn.Cell(dataset=graph_file, method="cascade", epsilon_x=1.0, epsilon_y=2.0)
    configuration = lpgnn.configure(cell, NONE)
    assert (configuration["method"], configuration["model"]) == ("cascade", {})
    outcome = lpgnn.STUDY.measure(graph, configuration, 3, "cpu", ignore)
    setting = Setting(hg.MultiBit(1.0), hg.RandomizedResponse(2.0), hg.Cascade())
    (expected,) = repeat(graph, setting, [3])
    assert outcome.value == expected.accuracy
    assert outcome.details == expected.model.details()
    assert lpgnn.STUDY.cost(graph, configuration) > 0


def test_it_shares_reports_with_lpgnn(graph_file):
    stated = {"k_x": 2, "k_y": 1, "learning_rate": 0.01, "weight_decay": 0.001, "dropout": 0.5}
    asked = {"dataset": graph_file, "epsilon_x": 1.0, "epsilon_y": 2.0}
    network = lpgnn.configure(lpgnn.Cell(**asked, **stated), NONE)
    cascade = lpgnn.configure(lpgnn.Cell(**asked, method="cascade"), NONE)
    assert "method" not in network
    assert lpgnn.STUDY.shared(network) == lpgnn.STUDY.shared(cascade)


def test_private_lists_too(graph_file):
    graph = read(graph_file)
    asked = {"dataset": graph_file, "epsilon_x": 1.0, "epsilon_a": 6.0, "epsilon_y": 2.0}
    configuration = solitude.configure(solitude.Cell(method="cascade", **asked), NONE)
    assert configuration["model"] == {}
    assert solitude.STUDY.measure(graph, configuration, 0, "cpu", ignore).value > 0
    assert solitude.STUDY.cost(graph, configuration) > 0


def test_hyperparameters_that_it_does_not_have_are_refused(graph_file):
    with pytest.raises(ValueError, match="has no k_x"):
        solitude.Cell(dataset=graph_file, method="cascade", epsilon_x=1.0, epsilon_a=6.0, k_x=2)
