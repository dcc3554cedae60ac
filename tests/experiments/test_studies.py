"""What one run measures."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.simulate import campaign_for
from hushgraph.datasets import read, social
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.runs import Run
from hushgraph.experiments.studies import STUDIES, aggregation, attacks, learned, lpgnn
from hushgraph.experiments.studies.revisions import REVISIONS
from hushgraph.repeats import Setting, noise_of, repeat

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
    # As a public graph, whose noise depends on the seed alone.
    cell = lpgnn.Cell(dataset="social", epsilon_x=2.0, epsilon_y=1.0, **STATED)
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
    noise = noise_of(5, graph, campaign_for(graph, features=mechanism, labels=None), aggregation.NOBODY)
    estimate = mechanism.estimate(mechanism.randomize(graph.features, noise))
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


OF_A_STUDY = {
    "lpgnn": {"epsilon_x": 1.0, **STATED},
    "aggregation_error": {"low": 0.0, "high": 1.0},
    "solitude": {"method": "blocks", "epsilon_a": 5.0, "epsilon_y": 1.0, **STATED},
    "curator": {"method": "gap", "epochs": 2},
    "attacks": {"method": "lpgnn", "epochs": 2, "attack": "confidence"},
}
BUDGET = {"lpgnn": "epsilon_y", "curator": "epsilon", "attacks": "epsilon"}


def configured(name, dataset, **budget):
    study = STUDIES[name]
    return study, study.configure(study.cell(dataset=dataset, **OF_A_STUDY[name], **budget), NONE)


@pytest.mark.parametrize("name", OF_A_STUDY)
def test_what_is_promised_before_a_run_is_what_the_run_promises(graph_file, name):
    study, configuration = configured(name, graph_file, **{BUDGET.get(name, "epsilon_x"): 2.0})
    promised = study.promise(read(graph_file), configuration, 3)
    assert promised == study.measure(read(graph_file), configuration, 3, "cpu", ignore).guarantee
    # The number of the repeat is in the results and can be guessed.
    assert promised.simulated


@pytest.mark.parametrize(("study", "method", "words"), [
    ("lpgnn", "cascade", {"epsilon_x": 1.0}), ("solitude", "cascade", {"epsilon_x": 1.0, "epsilon_a": 5.0}),
    ("curator", "ballots", {"epsilon": 4.0}), ("attacks", "cascade", {"epsilon": 4.0}),
    ("attacks", "ballots", {"epsilon": 4.0}),
])  # fmt: skip
def test_a_method_that_changed_is_known_apart_in_every_study_and_asks_for_the_same_reports(
    study, method, words
):
    cell = STUDIES[study].cell(dataset="cora", method=method, **words)
    configuration = STUDIES[study].configure(cell, NONE)
    assert configuration["method_revision"] == REVISIONS[method]
    if study in ("lpgnn", "solitude"):
        assert "method_revision" not in learned.shared(configuration)


def test_what_a_changed_method_computes_leaves_the_runs_of_others_what_they_were():
    for name in OF_A_STUDY:
        assert "method_revision" not in configured(name, "cora", **{BUDGET.get(name, "epsilon_x"): 2.0})[1]


def generators(monkeypatch, name, dataset, graph, budget, seed):
    """The states of all generators from which a run draws noise or anything else."""
    drawn, made = [], np.random.default_rng

    def spy(given=None):
        rng = made(given)
        drawn.append(rng.bit_generator.state["state"]["state"])
        return rng

    monkeypatch.setattr(np.random, "default_rng", spy)
    learned.collection.cache_clear()
    attacks._stage.cache_clear()
    study, configuration = configured(name, dataset, **{BUDGET.get(name, "epsilon_x"): budget})
    study.measure(graph, configuration, seed, "cpu", ignore)
    monkeypatch.undo()
    return set(drawn)


@pytest.mark.parametrize("name", OF_A_STUDY)
def test_cells_of_ones_own_people_share_no_noise_and_those_of_public_graphs_do(monkeypatch, graph_file, name):
    graph = read(graph_file)

    def of(dataset, budget, seed):
        return generators(monkeypatch, name, dataset, graph, budget, seed)

    # The split, and whose labels are among the fewer.
    common = {
        np.random.default_rng(seed).bit_generator.state["state"]["state"] for seed in (3, [3, 2], [3, 3])
    }
    own = of(graph_file, 1.0, 3)
    assert own == of(graph_file, 1.0, 3)
    assert own & of(graph_file, 2.0, 3) <= common
    assert not own & of(graph_file, 1.0, 4)
    public = of("social", 1.0, 3)
    # A curator's run has its own noise at every budget in any case.
    assert bool(public & of("social", 2.0, 3) - common) == (name != "curator")
    assert not public & own - common


def test_who_gives_a_label_is_part_of_the_noise():
    graph = social(n=300, features=5, classes=2)
    flips = []
    for rate in (0.5, 0.4):
        cell = STUDIES["solitude"].cell(
            dataset="own.npz", epsilon_x=1.0, label_rate=rate, **OF_A_STUDY["solitude"]
        )
        values = learned.shared(STUDIES["solitude"].configure(cell, NONE))
        _, collected = learned.collection(graph, tuple(values.items()), 0)
        flips.append(collected.labels[collected.val] != graph.labels[collected.val])
    assert (flips[0] != flips[1]).any()
