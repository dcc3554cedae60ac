"""Experiments as data."""

from __future__ import annotations

import math

import pytest

from hushgraph.experiments import declared
from hushgraph.experiments.published_figures import published_figure


def test_every_table_and_figure_of_the_paper_and_the_talk_is_declared():
    assert list(declared.packaged()) == [
        "cascade/table2", "cascade/table3", "cascade/table4", "cascade/figure3", "cascade/total",
        "cascade/solitude-table3", "cascade/solitude-small-budgets",
        "choices/epoch-rule", "choices/loss-floor", "choices/declared-range", "choices/exact-noise",
        "lpgnn/table2", "lpgnn/table3", "lpgnn/table4", "lpgnn/figure3", "lpgnn/figure4",
        "nip-gnn/table1", "nip-gnn/table2", "nip-gnn/table3", "nip-gnn/table4", "nip-gnn/attacks",
        "nip-gnn/figure1", "nip-gnn/figure2",
        "nip-gnn/edges", "nip-gnn/ballots", "nip-gnn/ballots-edges",
        "slides/micro-f1", "slides/aggregation-error", "slides/attacks",
        "solitude/table3", "solitude/figure4", "solitude/figure5",
        "solitude/calibration", "solitude/small-budgets", "solitude/noisy-labels",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "cells"),
    [("lpgnn/table2", 64), ("lpgnn/table3", 24), ("lpgnn/table4", 36), ("slides/micro-f1", 42)],
)
def test_each_published_figure_of_a_table_has_its_cell(name, cells):
    experiment = declared.packaged()[name]
    figures = [published_figure(*experiment.published, cell) for cell in experiment.cells]
    assert len(figures) == cells
    assert None not in figures


@pytest.mark.parametrize(("table", "cells"), [("1", 20), ("2", 16), ("3", 16)])
def test_each_published_figure_of_nip_gnn_has_its_cell(table, cells):
    experiment = declared.packaged()[f"nip-gnn/table{table}"]
    figures = [published_figure(*experiment.published, cell) for cell in experiment.cells]
    assert sum(figure is not None for figure in figures) == cells
    # What the paper published is compared with what it describes, never with the sound variant.
    assert all(
        figure is None
        for cell, figure in zip(experiment.cells, figures, strict=True)
        if "sound" in cell.method or math.isinf(cell.epsilon)
    )


def test_a_published_figure_is_found_by_the_words_of_its_cell():
    cells = declared.packaged()["lpgnn/table4"].cells
    cell = next(c for c in cells if (c.dataset, c.loss, c.epsilon_y) == ("pubmed", "forward", 0.5))
    figure = published_figure("lpgnn", "4", cell)
    assert (figure.mean, figure.half_width) == (38.7, 1.4)


def test_a_list_stands_for_each_of_its_values_in_order(experiment):
    assert [(cell.features, cell.epsilon_x) for cell in experiment.cells] == [
        ("multi-bit", 1.0), ("multi-bit", 4.0), ("one-bit", 1.0), ("one-bit", 4.0),
    ]  # fmt: skip
    assert experiment.varying == ("features", "epsilon_x")
    assert experiment.cells[0].epsilon_y == 2.0


def test_a_group_or_a_file_stands_for_all_its_experiments(tmp_path, declaration):
    assert [e.name for e in declared.find(["slides"])] == [
        "slides/micro-f1", "slides/aggregation-error", "slides/attacks",
    ]  # fmt: skip
    (tmp_path / "mine.toml").write_text(declaration)
    found = declared.find([str(tmp_path / "mine.toml"), "lpgnn/table2", "lpgnn/table2"])
    assert [e.name for e in found] == ["mine/mine", "lpgnn/table2"]


def test_a_graphs_file_is_looked_for_beside_the_experiments(tmp_path, declaration, graph_file):
    (tmp_path / "mine.toml").write_text(declaration.replace(graph_file, "near.npz"))
    (experiment,) = declared.find([str(tmp_path / "mine.toml")])
    assert experiment.datasets == (str(tmp_path / "near.npz"),)


def test_two_experiments_of_one_name_are_refused(tmp_path, declaration):
    for folder, text in (
        ("one", declaration),
        ("two", declaration.replace("epsilon_y = 2", "epsilon_y = 3")),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "own.toml").write_text(text)
    with pytest.raises(ValueError, match="there is another 'own/mine'"):
        declared.find([str(tmp_path / folder / "own.toml") for folder in ("one", "two")])


def test_equal_cells_are_one(declaration):
    (experiment,) = declared.parse(declaration.replace("[1, 4]", "[1, 1.0, 4]"), "own", "own.toml")
    assert len(experiment.cells) == 4


def test_cells_are_picked_by_dataset_and_method():
    table = declared.packaged()["lpgnn/table2"].only(["cora", "pubmed"], ["laplace", "multi-bit"])
    assert {(cell.dataset, cell.features) for cell in table.cells} == {
        (dataset, features) for dataset in ("cora", "pubmed") for features in ("laplace", "multi-bit")
    }


def test_an_unknown_experiment_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match=r"'lpgnn/tabel2' \(did you mean 'lpgnn/table2'\?\)"):
        declared.find(["lpgnn/tabel2"])


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"one-bit"', '"one_bitt"', "did you mean 'one-bit'"),
        ('study = "lpgnn"', 'study = "lpggn"', "did you mean 'lpgnn'"),
        ("epochs = 20", "epoch = 20", "'epoch' is no field of the study 'lpgnn' .did you mean 'epochs'"),
        ("epsilon_x = [1, 4]", "epsilon_x = [0]", "epsilon_x must be above 0"),
        ("k_x = 2", "k_x = -2", "k_x must be a whole number"),
        (
            'features = ["multi-bit", "one-bit"]',
            'features = "ones"',
            "epsilon_x, delta, low and high are for mechanisms",
        ),
        ('features = ["multi-bit", "one-bit"]', 'features = "gaussian"', "delta is required"),
        ('lines = "features"', 'lines = "feature"', "did you mean 'features'"),
        ("title =", "titel =", "did you mean 'title'"),
        ("dataset =", "dropout =", "own.toml"),
        ('title = "Two mechanisms"', "title = 3", "title must be a text, got 3"),
        ('chart = [{ x = "epsilon_x", lines = "features" }]', 'chart = "x"', "chart must be a list"),
        (
            'chart = [{ x = "epsilon_x", lines = "features" }]',
            'chart = [{ x = "epsilon_x" }]',
            "a chart has x, lines",
        ),
        ('study = "lpgnn"', 'study = "lpgnn"\npublished = "lpgn/2"', "did you mean 'lpgnn'"),
        ('study = "lpgnn"', 'study = "lpgnn"\nnotes = "abc"', "notes must be a list"),
        ("epsilon_x = [1, 4]", "epsilon_x = []", "there is no cell"),
        ("epsilon_x = [1, 4]", "epsilon_x = [[1]]", "epsilon_x must be a text or a number"),
        ('features = ["multi-bit", "one-bit"]', "delta = 1e-6", "the mechanism 'multi-bit' takes no delta"),
        ("[mine]", "[mine", "own.toml"),
        ('study = "lpgnn"\n', "", "'study' is missing"),
        ("[mine]", "other = 3\n[mine]", "an experiment is a table with title, study"),
        ('study = "lpgnn"', 'study = "lpgnn"\npublished = "solitude/table3"', "solitude"),
    ],
)
def test_a_mistake_in_a_file_is_named(declaration, before, after, message):
    assert before in declaration
    with pytest.raises(ValueError, match=message) as caught:
        declared.parse(declaration.replace(before, after), "own", "own.toml")
    assert "own.toml" in str(caught.value)


def test_a_file_without_an_experiment_and_a_search_for_none_are_refused():
    with pytest.raises(ValueError, match=r"own\.toml declares no experiment"):
        declared.parse("", "own", "own.toml")
    with pytest.raises(ValueError, match="name an experiment; known are "):
        declared.find([])


def test_cells_are_tables():
    text = '[x]\ntitle = "t"\nstudy = "lpgnn"\ncells = ["cora"]\n'
    with pytest.raises(ValueError, match="cells are tables of words, got 'cora'"):
        declared.parse(text, "own", "own.toml")


def test_a_cell_must_name_its_dataset():
    text = '[x]\ntitle = "t"\nstudy = "lpgnn"\n[[x.cells]]\nepsilon_x = 1\n'
    with pytest.raises(ValueError, match="each cell must name its dataset"):
        declared.parse(text, "own", "own.toml")


def test_features_that_nobody_randomises_have_no_budget():
    cells = declared.packaged()["lpgnn/table3"].cells
    assert all(math.isinf(cell.epsilon_x) for cell in cells if cell.features == "ones")
