"""What one run measures."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.datasets import read
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.runs import Run
from hushgraph.experiments.studies import STUDIES, aggregation, lpgnn
from hushgraph.repeats import Setting, repeat

NONE = Hyperparameters("nobody", {}, {})
STATED = {"k_x": 2, "k_y": 1, "learning_rate": 0.01, "weight_decay": 0.001, "dropout": 0.5, "epochs": 5}


def ignore(_share):
    pass


def test_a_run_is_a_repeat_of_the_same_setting(graph_file):
    graph = read(graph_file)
    cell = lpgnn.Cell(dataset=graph_file, epsilon_x=2.0, epsilon_y=1.0, **STATED)
    outcome = lpgnn.STUDY.measure(graph, lpgnn.configure(cell, NONE), 3, "cpu", ignore)
    model = hg.LPGNN(**STATED)
    (expected,) = repeat(graph, Setting(hg.MultiBit(2.0), hg.RandomizedResponse(1.0), model), [3])
    assert outcome.value == expected.accuracy
    assert outcome.guarantee == expected.model.guarantee
    assert outcome.details["best_epoch"] == expected.model.best_epoch_


def test_progress_ends_at_one(graph_file):
    shares = []
    configuration = lpgnn.configure(
        lpgnn.Cell(dataset=graph_file, epsilon_x=2.0, epsilon_y=1.0, **STATED), NONE
    )
    lpgnn.STUDY.measure(read(graph_file), configuration, 0, "cpu", shares.append)
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]


@pytest.mark.parametrize("kind", ["ones", "degree", "random"])
def test_stand_ins_spend_no_budget_on_features(graph_file, kind):
    cell = lpgnn.Cell(dataset=graph_file, features=kind, epsilon_y=1.0, **STATED)
    outcome = lpgnn.STUDY.measure(read(graph_file), lpgnn.configure(cell, NONE), 0, "cpu", ignore)
    assert outcome.guarantee.epsilon == 1.0
    assert [part.protects for part in outcome.guarantee.parts] == ["label"]


def test_raw_features_are_said_to_be_unprotected(graph_file):
    cell = lpgnn.Cell(dataset=graph_file, features="raw", epsilon_y=1.0, **STATED)
    outcome = lpgnn.STUDY.measure(read(graph_file), lpgnn.configure(cell, NONE), 0, "cpu", ignore)
    assert outcome.guarantee.status == "none"


def test_the_search_sees_noisy_labels_only(graph_file):
    graph = read(graph_file)
    cell = lpgnn.Cell(dataset=graph_file, epsilon_x=2.0, epsilon_y=1.0, **STATED)
    study = STUDIES["lpgnn_validation"]
    configuration = study.configure(cell, NONE)
    outcome = study.measure(graph, configuration, 1, "cpu", ignore)
    split = hg.random_split(graph, train=0.5, val=0.25, seed=1)
    labels = graph.labels.copy()
    labels[split.test] = (labels[split.test] + 1) % graph.num_classes
    other = dataclasses.replace(graph, labels=labels)
    assert study.measure(other, configuration, 1, "cpu", ignore).value == outcome.value


def test_runs_that_differ_in_the_model_alone_share_their_reports(graph_file):
    def run(**words):
        cell = lpgnn.Cell(dataset=graph_file, **{"epsilon_x": 1.0, "epsilon_y": 1.0, **STATED, **words})
        return Run(graph_file, "digest", lpgnn.configure(cell, NONE), 0)

    assert run(k_x=4).group == run(backbone="gat").group
    assert run(k_x=4).key != run(k_x=2).key
    assert run(epsilon_x=2.0).group != run().group


def test_real_valued_columns_are_scaled_by_their_extremes_and_the_guarantee_says_so(graph):
    wide = dataclasses.replace(graph, features=3 * graph.features)
    cell = lpgnn.Cell(dataset="forty", epsilon_x=1.0, epsilon_y=1.0, **STATED)
    outcome = lpgnn.STUDY.measure(wide, lpgnn.configure(cell, NONE), 0, "cpu", ignore)
    assert outcome.guarantee.status == "claimed"
    declared = dataclasses.replace(cell, low=0.0, high=3.0)
    assert (
        lpgnn.STUDY.measure(wide, lpgnn.configure(declared, NONE), 0, "cpu", ignore).guarantee.status
        == "proven"
    )


@pytest.mark.parametrize("kind", ["multi-bit", "one-bit", "laplace"])
def test_the_aggregation_error_is_that_of_its_definition(graph, kind):
    cell = aggregation.Cell(dataset="forty", features=kind, epsilon_x=2.0, low=0.0, high=1.0)
    outcome = aggregation.measure(graph, aggregation.configure(cell, NONE), 5, "cpu", ignore)
    makers = {"multi-bit": hg.MultiBit, "one-bit": hg.OneBit, "laplace": hg.Laplace}
    mechanism = makers[kind](2.0)
    estimate = mechanism.estimate(mechanism.randomize(graph.features, np.random.default_rng([5, 1])))
    estimate = estimate.toarray() if hasattr(estimate, "toarray") else estimate
    neighbours = np.zeros((40, 40))
    neighbours[graph.edges[0], graph.edges[1]] = neighbours[graph.edges[1], graph.edges[0]] = 1
    scale = 1 / np.sqrt(np.maximum(neighbours.sum(1), 1))
    smooth = scale[:, None] * neighbours * scale
    expected = np.abs(smooth @ (estimate - graph.features)).mean()
    assert outcome.value == pytest.approx(expected, rel=1e-4)
    assert outcome.guarantee.epsilon == 2.0


def test_without_privacy_the_aggregation_is_exact(graph):
    cell = aggregation.Cell(dataset="forty", epsilon_x=math.inf, low=0.0, high=1.0)
    outcome = aggregation.measure(graph, aggregation.configure(cell, NONE), 0, "cpu", ignore)
    assert outcome.value == pytest.approx(0.0, abs=1e-6)
