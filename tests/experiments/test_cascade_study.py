"""Studies measure the cascade on the reports that networks learn from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.datasets import read
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.studies import idle_features, learned, lpgnn, solitude
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


def test_cells_whose_features_tell_nothing_are_one_fit(graph_file, monkeypatch):
    graph = read(graph_file)
    learned.remembered.cache_clear()
    fits = []
    original = hg.Cascade.fit
    monkeypatch.setattr(hg.Cascade, "fit", lambda *a, **b: fits.append(1) or original(*a, **b))

    def outcome(**asked):
        cell = lpgnn.Cell(dataset="social", method="cascade", **asked)  # public: cells share their noise
        return lpgnn.STUDY.measure(graph, lpgnn.configure(cell, NONE), 3, "cpu", ignore)

    little, less, other = (
        outcome(epsilon_x=budget, epsilon_y=labels)
        for budget, labels in ((0.1, 2.0), (0.01, 2.0), (0.1, 1.0))
    )
    assert len(fits) == 2
    assert (little.value, little.guarantee.epsilon) == (less.value, 2.1)
    assert less.guarantee.epsilon == 2.01
    assert little.details["feature_evidence"] != less.details["feature_evidence"]
    assert other.details["accuracy_estimate"] != little.details["accuracy_estimate"]
    outcome(features="raw", epsilon_y=2.0)
    assert len(fits) == 3
    learned.remembered.cache_clear()


def test_what_is_remembered_knows_who_sent_a_list(graph_file):
    """A list that did not come says nothing, and one without a name says that there are no friends."""
    graph = read(graph_file)
    split = hg.random_split(graph, train=0.5, val=0.25, seed=0)
    lists = hg.AdjacencyRandomizedResponse(6.0)
    labels, rng = hg.RandomizedResponse(2.0), np.random.default_rng(0)
    collected = hg.collect(graph, split, features=None, labels=labels, edges=lists, rng=rng)
    fewer = tuple(
        one.select(one.people > 0) if one.question == "lists" else one for one in collected.reports.answers
    )
    other = replace(collected, reports=replace(collected.reports, answers=fewer))
    keys = {idle_features._digest(hg.Cascade(), one, split.test) for one in (collected, collected, other)}
    assert len(keys) == 2
