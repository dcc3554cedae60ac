"""The cascade is measured where the papers measure their methods, on the same reports."""

from __future__ import annotations

import dataclasses
import math

import pytest

from hushgraph.experiments.declared import packaged
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.published_figures import published_figure
from hushgraph.experiments.studies.lpgnn import NOT_RANDOMIZED

GRAPHS = ("cora", "pubmed", "facebook")
NONE = Hyperparameters("nobody", {}, {})


def collections(name, graphs, found=NONE):
    """The graphs and reports that the cells of an experiment learn from."""
    experiment = packaged()[name]
    return {
        (cell.dataset, *map(str, sorted(experiment.study.shared(configuration).items(), key=str)))
        for cell in experiment.cells
        if cell.dataset in graphs
        for configuration in [experiment.study.configure(cell, found)]
    }


@pytest.mark.parametrize("table", ["table2", "table3", "table4", "figure3"])
def test_it_learns_from_the_reports_of_lpgnn(table):
    theirs = collections(f"lpgnn/{table}", GRAPHS, Hyperparameters.published())
    assert collections(f"cascade/{table}", GRAPHS) == theirs


@pytest.mark.parametrize("name", ["table3", "small-budgets"])
def test_it_learns_from_the_reports_of_solitude_and_from_noisy_labels_beside(name):
    cells = packaged()[f"cascade/solitude-{name}"].cells
    true_labels = {(cell.dataset, cell.epsilon_a) for cell in cells if math.isinf(cell.epsilon_y)}
    noisy_labels = {(cell.dataset, cell.epsilon_a) for cell in cells if cell.epsilon_y == 1}
    theirs = {(c.dataset, c.epsilon_a) for c in packaged()[f"solitude/{name}"].cells if c.dataset != "lastfm"}
    assert true_labels == noisy_labels == theirs
    theirs = collections(f"solitude/{name}", ("cora",), Hyperparameters.packaged("solitude"))
    assert theirs <= collections(f"cascade/solitude-{name}", ("cora",))


def test_others_learn_from_noisy_labels_on_the_same_lists():
    graphs = ("cora", "citeseer_lcc")
    names = ("cascade/solitude-table3", "cascade/solitude-small-budgets")
    ours = set().union(*(collections(name, graphs) for name in names))
    assert collections("solitude/noisy-labels", graphs) == {
        one for one in ours if "('epsilon_y', 1.0)" in one
    }


def test_every_total_of_lpgnns_budgets_is_spent_on_the_label_alone():
    totals = {
        (cell.dataset, cell.epsilon_x + cell.epsilon_y)
        for table in ("table2", "table3", "table4", "figure3")
        for cell in packaged()[f"lpgnn/{table}"].cells
        if cell.dataset in GRAPHS and math.isfinite(cell.epsilon_x) and cell.epsilon_y <= 2
    }
    cells = packaged()["cascade/total"].cells
    assert {(cell.dataset, cell.epsilon_y) for cell in cells} == totals
    assert {cell.features for cell in cells} == {"ones"}


def test_the_stand_in_beside_which_it_stands_is_the_best_of_the_paper():
    for cell in packaged()["cascade/table3"].cells:
        if cell.features in NOT_RANDOMIZED:
            figures = {
                features: published_figure("lpgnn", "3", dataclasses.replace(cell, features=features)).mean
                for features in ("ones", "degree", "random")
            }
            assert max(figures, key=figures.__getitem__) == cell.features


def test_without_features_it_is_one_run_whichever_stand_in_a_cell_names():
    experiment = packaged()["cascade/table3"]
    (cell,) = (cell for cell in experiment.cells if cell.features == "random")
    configurations = [
        experiment.study.configure(dataclasses.replace(cell, features=features), NONE)
        for features in ("ones", "degree", "random")
    ]
    assert configurations[0] == configurations[1] == configurations[2]
