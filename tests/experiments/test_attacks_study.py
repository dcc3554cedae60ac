"""The study of attacks on what was trained."""

from __future__ import annotations

import json
import math

import pytest

from hushgraph.datasets import read
from hushgraph.experiments import declared
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.studies import attacks
from hushgraph.experiments.studies.attacks import VICTIMS, Cell
from hushgraph.experiments.tables import published_for
from hushgraph.registry import UNPROTECTED

NONE = Hyperparameters("nobody", {}, {})


def measured(dataset, seed=3, **words):
    cell = Cell(dataset="social", **words)
    graph = read(dataset) if isinstance(dataset, str) else dataset
    return attacks.STUDY.measure(graph, attacks.configure(cell, NONE), seed, "cpu", lambda _share: None)


@pytest.mark.parametrize("method", ["gcn-structure", "ballots", "dpdgc", "cascade"])
def test_every_kind_of_method_can_be_attacked(graph_file, method):
    epsilon = math.inf if method in UNPROTECTED else 4.0
    epochs = {} if method == "cascade" else {"epochs": 2}
    outcome = measured(graph_file, method=method, epsilon=epsilon, attack="confidence", **epochs)
    assert 0 <= outcome.value <= 1
    assert outcome.details["advantage"] == pytest.approx(2 * outcome.value - 1)
    assert ("largest_accuracy" in outcome.details) == (method in ("ballots", "dpdgc"))
    told = set(attacks.STUDY.also) & set(outcome.details)
    assert told == {
        name for name in attacks.STUDY.also if "largest" not in name or method in ("ballots", "dpdgc")
    }


def test_what_a_target_does_not_show_cannot_be_attacked(graph_file):
    with pytest.raises(ValueError, match="DP-MLP does not show it"):
        measured(graph_file, method="dp-mlp", epsilon=4.0, epochs=1, attack="attribute-embeddings")


def test_the_sums_that_gap_releases_about_everybody_are_attacked(graph_file):
    known = measured(graph_file, method="gap", epsilon=math.inf, attack="attribute-embeddings")
    assert known.value > known.details["most_common"] + 0.1


def test_attacks_of_a_seed_are_on_one_target(graph_file):
    attacks._stage.cache_clear()
    graph = read(graph_file)
    for attack in ("confidence", "attribute", "link-distance"):
        measured(graph, method="dp-mlp", epsilon=4.0, epochs=1, attack=attack)
    assert attacks._stage.cache_info().misses == 1


def test_configurations_are_plain():
    for cell in declared.packaged()["nip-gnn/table4"].cells:
        plain = attacks.configure(cell, NONE)
        assert json.loads(json.dumps(plain)) == plain


def test_table_4_has_every_published_figure_and_more():
    experiment = declared.packaged()["nip-gnn/table4"]
    figures = [published_for(experiment, cell) for cell in experiment.cells]
    assert sum(figure is not None for figure in figures) == 24
    assert {cell.method for cell in experiment.cells} > {"gcn-overfitted", "nip-gnn", "lpgnn", "ballots"}


@pytest.mark.parametrize(("words", "why"), [
    ({"method": "gcn-overfitted", "epsilon": 4}, "protects nobody: leave epsilon out"),
    ({"method": "gap", "epsilon": 4, "attack": "tsft"}, "did you mean 'tstf'"),
    ({"method": "solitude", "epsilon": 4}, "method must be one of"),
    ({"method": "gap", "epsilon": -1}, "epsilon must be above 0"),
])  # fmt: skip
def test_impossible_cells_are_refused(words, why):
    assert "solitude" not in VICTIMS
    with pytest.raises(ValueError, match=why):
        Cell(dataset="cora", **words)
