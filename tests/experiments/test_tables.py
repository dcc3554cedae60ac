"""Ours beside theirs."""

from __future__ import annotations

import csv

import pytest

from hushgraph.experiments import declared
from hushgraph.experiments.published_figures import PublishedFigure
from hushgraph.experiments.store import Result
from hushgraph.experiments.studies import STUDIES
from hushgraph.experiments.studies.study import Outcome
from hushgraph.experiments.tables import Row, make_table, write_csv
from hushgraph.privacy import Guarantee


def results(*values):
    return [Result(Outcome(value, 1.0, Guarantee("label", 1.0)), {}) for value in values]


@pytest.mark.parametrize(
    ("theirs", "verdict"),
    [(50.0, "met"), (51.9, "met"), (53.0, "below"), (48.1, "met"), (47.0, "above")],
)
def test_a_cell_meets_where_the_two_intervals_do(theirs, verdict):
    row = Row("cell", results(0.49, 0.5, 0.51), 3, STUDIES["lpgnn"], PublishedFigure(theirs, 1.2))
    assert row.mean == pytest.approx(50.0)
    assert 0.6 < row.half_width <= 1.0
    assert row.difference == pytest.approx(50.0 - theirs)
    assert row.verdict == verdict


def test_of_an_error_less_is_better():
    row = Row("cell", results(0.5), 1, STUDIES["aggregation_error"], PublishedFigure(0.6, 0.01))
    assert row.verdict == "above"


def test_every_cell_is_counted_once():
    experiment = declared.packaged()["lpgnn/table2"].only(["cora"], ["multi_bit"])
    low, tenth, one, two = experiment.cells
    found = {low: results(0.68), tenth: results(0.9), one: results(0.1)}
    table = make_table(experiment, found, {two: "2 of 2 runs failed: no memory"}, 1)
    assert table.counts == {"met": 1, "above": 1, "below": 1, "unpublished": 0, "missing": 1}
    assert [table.label(row) for row in table.rows] == [
        "multi-bit, ε_x = 0.01", "multi-bit, ε_x = 0.1", "multi-bit, ε_x = 1", "multi-bit, ε_x = 2",
    ]  # fmt: skip


def test_the_csv_has_a_line_for_every_cell(tmp_path):
    experiment = declared.packaged()["lpgnn/table3"].only(["cora", "lastfm"], None)
    first = experiment.cells[0]
    unavailable = {cell: "data not available" for cell in experiment.cells if cell.dataset == "lastfm"}
    write_csv(make_table(experiment, {first: results(0.25, 0.27)}, unavailable, 2), tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(experiment.cells)
    assert rows[0]["features"] == "ones"
    assert (rows[0]["mean"], rows[0]["published"], rows[0]["verdict"]) == ("26.00", "22.6", "met")
    assert {row["trouble"] for row in rows if row["dataset"] == "lastfm"} == {"data not available"}
    assert all(row["mean"] == "" for row in rows[1:])


def test_stand_ins_are_labelled_without_a_budget():
    experiment = declared.packaged()["lpgnn/table3"]
    table = make_table(experiment, {}, {}, 1)
    assert {table.label(row) for row in table.rows if row.cell.features == "ones"} == {"ones"}
