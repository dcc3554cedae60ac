"""Studies and searches where neighbour lists are private."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph.cli.app import app
from hushgraph.datasets import read
from hushgraph.experiments import declared, tune_lists
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.published_figures import published_figure
from hushgraph.experiments.store import ResultStore
from hushgraph.experiments.studies import learned, solitude
from hushgraph.experiments.studies.solitude import Cell
from hushgraph.registry import LIST_METHODS as METHODS

NONE = Hyperparameters("nobody", {}, {})
ADAM = {"learning_rate": 0.01, "weight_decay": 0.001, "dropout": 0.5}
STATED = {**ADAM, "k_x": 2, "k_y": 1, "lambda_1": 0.01, "lambda_2": 0.001}


def cell_of(dataset, method="solitude", **words):
    plain = {"dataset": dataset, "method": method, "epsilon_x": 2.0, "epsilon_a": 5.0, "epochs": 4}
    cell = Cell(**plain)
    return Cell(**plain | {name: STATED[name] for name in cell.wanted} | words)


def ignore(_share):
    pass


def measured(dataset, method="solitude", seed=3, **words):
    configuration = solitude.configure(cell_of(dataset, method, **words), NONE)
    return solitude.STUDY.measure(read(dataset), configuration, seed, "cpu", ignore)


def test_a_run_is_what_the_library_does(graph_file):
    graph = read(graph_file)
    split, collected = learned.collection(
        graph, tuple(learned.shared(solitude.configure(cell_of(graph_file), NONE)).items()), 3
    )
    model = hg.Solitude(**STATED, epochs=4, selection="reference", random_state=3).fit(collected)
    outcome = measured(graph_file)
    assert outcome.value == hg.accuracy(model, graph, split.test)
    assert outcome.guarantee == collected.guarantee
    assert outcome.details["val_accuracy"] == model.val_accuracy_


@pytest.mark.parametrize("method", METHODS)
def test_every_method_runs_on_the_same_reports(graph_file, method):
    outcome = measured(graph_file, method, epsilon_y=1.0)
    assert 0 <= outcome.value <= 1
    assert [part.epsilon for part in outcome.guarantee.parts] == [2.0, 1.0, 5.0]
    one, other = (solitude.configure(cell_of(graph_file, name), NONE) for name in (method, "base"))
    assert learned.shared(one) == learned.shared(other)


def test_fewer_labels_are_among_the_more_and_test_people_stay(graph_file):
    graph = read(graph_file)

    def split_at(rate):
        values = learned.shared(solitude.configure(cell_of(graph_file, label_rate=rate), NONE))
        return learned.collection(graph, tuple(values.items()), 0)[0]

    few, many = split_at(0.1), split_at(0.5)
    assert few.train.size == round(0.1 * graph.num_nodes)
    assert set(few.train) < set(many.train)
    np.testing.assert_array_equal(few.test, many.test)
    np.testing.assert_array_equal(few.val, many.val)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"method": "solitud"}, "did you mean 'solitude'"),
        ({"label_rate": 0.6}, r"label_rate must lie in \(0, 0.5\]"),
        ({"method": "base", "k_x": 2}, "the method 'base' has no k_x"),
        ({"method": "lpgnn", "lambda_1": 0.1}, "the method 'lpgnn' has no lambda_1"),
        ({"epsilon_a": 0}, "epsilon_a"),
    ],
)
def test_words_that_make_no_cell_are_refused(words, message):
    with pytest.raises(ValueError, match=message):
        Cell(**{"dataset": "cora", "epsilon_x": 1.0, "epsilon_a": 7.0} | words)


def test_the_papers_cells_are_beside_ours():
    (table,) = declared.find(["solitude/table3"])
    ours = {
        (cell.dataset, cell.method, cell.backbone, cell.epsilon_a): published_figure("solitude", "3", cell)
        for cell in table.cells
    }
    assert ours["cora", "solitude", "sage", 7.0].mean == 66.4
    assert ours["lastfm", "lpgnn", "gcn", 8.7].mean == 79.5
    assert sum(figure is not None for figure in ours.values()) == 108
    assert all(figure is None for key, figure in ours.items() if key[1] == "blocks")


def test_hyperparameters_are_those_of_the_nearest_budgets():
    words = {
        "dataset": "cora",
        "method": "lpgnn",
        "backbone": "gcn",
        "features": "multi-bit",
        "epsilon_y": "inf",
    }
    budgets = [{"epsilon_x": 1, "epsilon_a": 7.0, "k_x": 2}, {"epsilon_x": 1, "epsilon_a": 8.0, "k_x": 4}]
    budgets.append({"epsilon_x": 2, "epsilon_a": 8.0, "k_x": 8})
    found = Hyperparameters.from_rows("test", (), (), [words | ADAM | row for row in budgets])

    def k_x(epsilon_x, epsilon_a, **words):
        cell = Cell(dataset="cora", method="lpgnn", backbone="gcn", epsilon_x=epsilon_x, epsilon_a=epsilon_a)
        return found.look_up_lists(dataclasses.replace(cell, **words).searched_as)["k_x"]

    assert (k_x(1.0, 7.4), k_x(0.5, 9.0), k_x(2.0, 3.0)) == (2, 4, 8)
    for other in ({"backbone": "sage"}, {"features": "one-bit"}, {"epsilon_y": 1.0}, {"epsilon_x": math.inf}):
        with pytest.raises(LookupError, match="nobody searched hyper-parameters for lpgnn"):
            k_x(**{"epsilon_x": 1.0, "epsilon_a": 7.0} | other)


def test_every_cell_of_table_3_has_hyperparameters():
    found = Hyperparameters.packaged("solitude")
    for experiment in declared.find(["solitude"]):
        for cell in experiment.only(["cora", "citeseer_lcc"], None).cells:
            solitude.configure(cell, found)


@pytest.fixture
def small_grids(monkeypatch):
    monkeypatch.setattr(
        tune_lists, "ADAM", {"learning_rate": (0.001, 0.01), "weight_decay": (0.01,), "dropout": (0.5,)}
    )
    monkeypatch.setattr(tune_lists, "SMOOTHING", {"k_x": (0, 2), "k_y": (0, 2)})
    monkeypatch.setattr(tune_lists, "PENALTIES", {"lambda_1": (0.001, 0.01), "lambda_2": (0.001,)})


def test_the_search_takes_what_guesses_most_validation_labels(graph_file, tmp_path, small_grids):
    cells = [
        Cell(dataset=graph_file, method=method, epsilon_x=2.0, epsilon_a=epsilon_a, epochs=8)
        for method in ("base", "lpgnn", "solitude")
        for epsilon_a in (4.0, 6.0)
    ]
    stages = []
    found = tune_lists.search(
        cells,
        ResultStore(tmp_path, {}),
        repeats=2,
        jobs=1,
        on_progress=lambda stage, _: stages.append(stage),
    )
    assert list(dict.fromkeys(stages)) == ["Adam's settings", "smoothing steps", "penalties"]
    assert {(key[1], key[-1]) for key in found.lists} == {
        (method, epsilon_a) for method in ("base", "lpgnn", "solitude") for epsilon_a in (4.0, 6.0)
    }
    for (_, method, *_), chosen in found.lists.items():
        assert set(chosen) == set(
            Cell(dataset=graph_file, method=method, epsilon_x=2.0, epsilon_a=4.0).wanted
        )
    # All methods and stages are on the same reports: two budgets, each twice.
    assert ResultStore(tmp_path, {}).collections() == {one.key for one in tune_lists.asked(cells, repeats=2)}
    assert "small: 4 collections of the same people; added up, for each person:" in found.source
    # Of the penalties that were tried at one pair of budgets, the best on average was taken.
    tried = {}
    for path in (tmp_path / "runs").iterdir():
        document = json.loads(path.read_text())
        configuration = document["run"]["configuration"]
        if configuration["method"] == "solitude" and configuration["epsilon_a"] == 6.0:
            tried.setdefault(configuration["model"]["lambda_1"], []).append(document["outcome"]["value"])
    assert {len(values) for values in tried.values()} == {2}
    best = max(sum(values) for values in tried.values())
    assert sum(tried[found.look_up_lists(cells[-1].searched_as)["lambda_1"]]) == best


def test_what_a_cell_states_is_not_searched(graph_file, tmp_path, small_grids):
    cell = Cell(
        dataset=graph_file, method="lpgnn", epsilon_x=2.0, epsilon_a=4.0, epochs=3, k_x=2, dropout=0.25
    )
    found = tune_lists.search([cell], ResultStore(tmp_path, {}), repeats=1, jobs=1)
    chosen = found.look_up_lists(cell.searched_as)
    assert (chosen["k_x"], chosen["dropout"]) == (2, 0.25)
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_cells_of_one_key_must_agree_in_the_rest(graph_file, tmp_path):
    cells = [Cell(dataset=graph_file, epsilon_x=2.0, epsilon_a=4.0, epochs=epochs) for epochs in (3, 4)]
    with pytest.raises(ValueError, match="differ in more than method and budgets"):
        tune_lists.search(cells, ResultStore(tmp_path, {}), repeats=1, jobs=1)


def test_a_label_rate_of_ones_own_has_no_published_figure():
    cell = Cell(dataset="cora", epsilon_x=1.0, epsilon_a=7.0)
    assert published_figure("solitude", "3", cell).mean == 66.4
    assert published_figure("solitude", "3", dataclasses.replace(cell, label_rate=0.1)) is None


def test_what_was_found_is_written_and_read_again(tmp_path):
    found = Hyperparameters.packaged("solitude")
    found.write(tmp_path / "found.json")
    again = Hyperparameters.read(tmp_path / "found.json")
    assert again == found
    assert again.digest == found.digest != NONE.digest
    assert not any(math.isnan(value) for values in found.lists.values() for value in values.values())


def test_the_command_searches_and_reproduce_takes_what_it_found(graph_file, tmp_path, monkeypatch):
    declaration = tmp_path / "mine.toml"
    declaration.write_text(
        f"""
[lists]
title = "Private lists"
study = "solitude"
chart = [{{ x = "epsilon_a", lines = "method" }}]

[[lists.cells]]
dataset = "{graph_file}"
method = ["lpgnn", "blocks"]
epsilon_x = 2
epsilon_a = [4, 6]
epochs = 2
"""
    )
    monkeypatch.chdir(tmp_path)

    def run(*words):
        return CliRunner().invoke(app, [str(word) for word in (*words, "--jobs", 2, "--device", "cpu")])

    searched = run("tune-solitude", declaration, "--output", "tuned.json")
    assert searched.exit_code == 0, searched.output
    assert "Most validation labels guessed" in searched.stdout
    # 'blocks' is run with what was found for 'posterior'.
    assert {key[1] for key in Hyperparameters.read("tuned.json").lists} == {"lpgnn", "posterior"}
    result = run("reproduce", declaration, "--repeats", 2, "--hyperparameters", "tuned.json", "--json")
    assert result.exit_code == 0, result.output
    (table,) = json.loads(result.stdout)
    assert len(table["rows"]) == 4
    assert (tmp_path / "results" / "report.html").exists()
