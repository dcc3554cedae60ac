"""Beside a private cell stands the same with features that tell nothing, so that the graph's work is seen."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from hushgraph.datasets import read
from hushgraph.experiments import declared, formatting, runner
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.store import Result
from hushgraph.experiments.studies import STUDIES, curator, lpgnn, solitude
from hushgraph.experiments.studies.graph_alone import as_asked, with_people_alike
from hushgraph.experiments.studies.learned import collection, control, shared
from hushgraph.experiments.studies.study import Outcome
from hushgraph.experiments.table_files import read_csv, write_csv
from hushgraph.experiments.tables import make_table
from hushgraph.privacy import Guarantee

NONE = Hyperparameters("nobody", {}, {})
STATED = {"k_x": 2, "k_y": 1, "learning_rate": 0.01, "weight_decay": 0.001, "dropout": 0.5, "epochs": 20}
ASKED = {"epsilon_x": 1.0, "epsilon_y": 2.0}


def ignore(_share):
    pass


def other_people(graph):
    """The same graph and labels, and quite other features."""
    features = np.random.default_rng(5).random((graph.num_nodes, graph.num_features))
    return dataclasses.replace(graph, features=np.round(features))


@pytest.mark.parametrize(
    ("study", "words"),
    [
        (lpgnn, STATED | ASKED),
        (lpgnn, STATED | ASKED | {"low": 0.0, "high": 2.0}),
        (lpgnn, ASKED | {"method": "cascade"}),
        (solitude, STATED | ASKED | {"epsilon_a": 5.0, "method": "blocks"}),
        (curator, {"epsilon": 4.0, "method": "gap", "epochs": 2, "max_degree": 10}),
        (curator, {"epsilon": 4.0, "method": "nip-gnn", "epochs": 2}),
    ],
)
def test_a_control_is_the_same_whatever_features_people_have(graph_file, study, words):
    people = read(graph_file)
    cell = study.Cell(dataset="social", **words)
    assert study.STUDY.has_control(cell)
    configuration = study.STUDY.control(study.configure(cell, NONE))
    values = [
        study.STUDY.measure(graph, configuration, 3, "cpu", ignore).value
        for graph in (people, other_people(people))
    ]
    assert values[0] == values[1]


def test_a_control_learns_from_the_same_split_labels_and_lists(graph_file):
    graph = read(graph_file)
    configuration = solitude.configure(solitude.Cell(dataset="social", epsilon_a=5.0, **ASKED, **STATED,
        lambda_1=1e-3, lambda_2=1e-3), NONE)  # fmt: skip
    (split, cell), (same, alone) = (
        collection(graph, tuple(shared(one).items()), 3) for one in (configuration, control(configuration))
    )
    assert (split.test == same.test).all()
    assert (cell.labels == alone.labels).all()
    assert (cell.edges == alone.edges).all()
    assert control(configuration)["model"] == configuration["model"]


def test_people_who_are_alike_are_alike_within_the_declared_range(graph_file):
    graph = read(graph_file)
    for low, high in ((None, None), (0.0, 2.0), (0.5, 2.0)):
        alike = as_asked(graph, {"people": "alike", "low": low, "high": high})
        rows = alike.features.toarray() if hasattr(alike.features, "toarray") else alike.features
        assert (rows == rows[0]).all()
        assert rows.min() >= (low or 0.0)
        assert rows.max() <= (high or 1.0)
        assert (alike.labels == graph.labels).all()
    assert as_asked(graph, {"low": 0.5, "high": 2.0}) is graph


def test_what_has_nothing_private_about_features_has_no_control():
    def has(study, **words):
        return STUDIES[study].has_control(STUDIES[study].cell(dataset="cora", **words))

    assert not has("lpgnn", features="ones", epsilon_y=1.0)
    assert not has("lpgnn", features="raw")
    assert not has("lpgnn", epsilon_y=1.0)
    assert not has("solitude", epsilon_x=math.inf, epsilon_a=7.0)
    assert not has("curator", method="gap", epsilon=math.inf)
    assert not has("curator", method="gap", epsilon=4.0, relation="edge")
    assert not has("aggregation_error", epsilon_x=1.0)


def test_without_a_network_nobody_is_asked_for_features_and_cells_share_their_control():
    experiment = declared.packaged()["cascade/table2"].only(["cora"], None)
    configurations = [experiment.study.configure(cell, NONE) for cell in experiment.cells]
    assert len({str(sorted(experiment.study.control(one).items(), key=str)) for one in configurations}) == 1
    (labels_alone,) = declared.packaged()["cascade/total"].only(["cora"], None).cells[:1]
    labels_alone = dataclasses.replace(labels_alone, epsilon_y=math.inf)
    assert experiment.study.configure(labels_alone, NONE) == experiment.study.control(configurations[0])


def test_controls_are_planned_on_public_graphs_alone_unless_one_asks_for_more(declaration, graph_file):
    public = declaration.replace(f'"{graph_file}"', '"social"')
    (own,), (known,) = (declared.parse(text, "own", "own.toml") for text in (declaration, public))
    planned = {
        choice: [len(runner.make_plan([one], 1, controls=choice).distinct) for one in (own, known)]
        for choice in ("none", "public", "all")
    }
    assert planned == {"none": [4, 4], "public": [4, 8], "all": [8, 8]}
    only = runner.make_plan([own, known], 1, controls="only")
    assert len(only.distinct) == 4
    assert {run.configuration["people"] for run in only.distinct.values()} == {"alike"}
    assert set(only.costs) == set(only.distinct)


def test_the_key_of_a_run_does_not_depend_on_controls(declaration, graph_file):
    (known,) = declared.parse(declaration.replace(f'"{graph_file}"', '"social"'), "own", "own.toml")
    without, beside = (runner.make_plan([known], 1, controls=choice) for choice in ("none", "public"))
    assert without.runs == beside.runs
    assert without.distinct.keys() < beside.distinct.keys()


def test_a_table_shows_the_control_beside_the_cell_and_so_does_its_file(tmp_path):
    experiment = declared.packaged()["lpgnn/table3"].only(["cora"], None)

    def results(*values):
        return [Result(Outcome(value, 1.0, Guarantee("label", 1.0)), {}) for value in values]

    ones, *_, low, tenth, one = experiment.cells
    found, controls = {one: results(0.7, 0.72)}, {one: results(0.69, 0.71), low: results(0.6)}
    table = make_table(experiment, found, {}, 2, controls)
    rows = {row.cell: row for row in table.rows}
    assert table.controlled
    assert rows[ones].control is None
    assert formatting.graph_alone(rows[ones]) == "–"
    assert formatting.graph_alone(rows[tenth]) == "not run"
    assert formatting.graph_alone(rows[one]).startswith("70.0 ± 1.0")
    write_csv(table, tmp_path / "table.csv")
    for before, after in zip(table.rows, read_csv(experiment, tmp_path / "table.csv").rows, strict=True):
        assert formatting.graph_alone(before) == formatting.graph_alone(after)
        assert after.control is None or after.control.values == pytest.approx(before.control.values)


def test_a_file_from_before_has_controls_that_were_not_run(tmp_path):
    experiment = declared.packaged()["lpgnn/table3"].only(["cora"], None)
    write_csv(make_table(experiment, {}, {}, 2), tmp_path / "table.csv")
    assert "graph_alone" not in (tmp_path / "table.csv").read_text()
    shown = [formatting.graph_alone(row) for row in read_csv(experiment, tmp_path / "table.csv").rows]
    assert shown == ["–"] * 3 + ["not run"] * 3


def test_the_same_people_are_alike_once(graph_file):
    graph = read(graph_file)
    asked = with_people_alike({"low": None, "high": None})
    assert as_asked(graph, asked) is as_asked(graph, asked)
