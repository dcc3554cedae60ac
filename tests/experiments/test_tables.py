"""Ours beside theirs."""

from __future__ import annotations

import csv

import pytest

from hushgraph.experiments import declared, formatting
from hushgraph.experiments.published_figures import PublishedFigure
from hushgraph.experiments.store import Result
from hushgraph.experiments.studies import STUDIES
from hushgraph.experiments.studies.study import Outcome
from hushgraph.experiments.table_files import read_csv, write_csv
from hushgraph.experiments.tables import Row, make_table
from hushgraph.privacy import Guarantee


def results(*values):
    return [Result(Outcome(value, 1.0, Guarantee("label", 1.0)), {}) for value in values]


def test_what_else_a_study_tells_stands_beside_the_value_and_in_the_file(tmp_path):
    experiment = declared.packaged()["nip-gnn/attacks"].only(["cora"], ["gap"])
    confidence, lira, *_ = experiment.cells
    found = [
        Result(Outcome(0.55, 1.0, Guarantee("label", 1.0), {"auc": area, "bound": "words"}), {})
        for area in (0.56, 0.58)
    ]
    table = make_table(experiment, {confidence: found, lira: results(0.5, 0.5)}, {}, 2)
    assert formatting.also(table.rows[0]) == "AUC 57.0 ± 1.0"
    assert formatting.also(table.rows[1]) == ""
    write_csv(table, tmp_path / "table.csv")
    again = read_csv(experiment, tmp_path / "table.csv")
    assert [formatting.also(row) for row in again.rows] == [formatting.also(row) for row in table.rows]


@pytest.mark.parametrize(
    ("theirs", "verdict"),
    [(50.0, "met"), (51.7, "met"), (53.0, "below"), (48.3, "met"), (47.0, "above")],
)
def test_a_cell_meets_where_the_two_intervals_do(theirs, verdict):
    row = Row("cell", [49.0, 49.5, 50.0, 50.5, 51.0], 5, STUDIES["lpgnn"], PublishedFigure(theirs, 1.2))
    assert row.mean == pytest.approx(50.0)
    assert 0.5 < row.half_width <= 0.8
    assert row.difference == pytest.approx(50.0 - theirs)
    assert row.verdict == verdict


def test_of_an_error_less_is_better():
    row = Row("cell", [0.5] * 5, 5, STUDIES["aggregation_error"], PublishedFigure(0.6, 0.01))
    assert row.verdict == "above"


def test_with_fewer_than_five_repeats_there_is_no_verdict():
    row = Row("cell", [10.0, 10.1, 10.2, 10.3], 4, STUDIES["lpgnn"], PublishedFigure(90.0, 0.1))
    assert (row.verdict, row.difference) == ("undecided", pytest.approx(-79.85))


def test_students_interval_stands_beside_the_bootstrap_where_repeats_are_few():
    few, many = ([50.0 + number % 3 for number in range(count)] for count in (3, 10))
    row = Row("cell", few, 3, STUDIES["lpgnn"])
    assert formatting.ours(row) == f"51.0 ± {row.half_width:.1f} (t: ± 2.5)"
    assert "t:" not in formatting.ours(Row("cell", many, 10, STUDIES["lpgnn"]))
    assert Row("cell", [50.0], 1, STUDIES["lpgnn"]).t_half_width is None


def test_every_cell_is_counted_once():
    experiment = declared.packaged()["lpgnn/table2"].only(["cora"], ["multi-bit"])
    low, tenth, one, two = experiment.cells
    found = {low: results(*[0.68] * 5), tenth: results(*[0.9] * 5), one: results(0.1)}
    table = make_table(experiment, found, {two: "2 of 2 runs failed: no memory"}, 1)
    assert table.counts == {
        "met": 1, "above": 1, "below": 0, "undecided": 1, "unpublished": 0, "missing": 1,
    }  # fmt: skip
    assert [table.label(row) for row in table.rows] == [
        "multi-bit, ε_x = 0.01", "multi-bit, ε_x = 0.1", "multi-bit, ε_x = 1", "multi-bit, ε_x = 2",
    ]  # fmt: skip


def test_the_csv_has_a_line_for_every_cell(tmp_path):
    experiment = declared.packaged()["lpgnn/table3"].only(["cora", "lastfm"], None)
    first = experiment.cells[0]
    unavailable = {cell: "data not available" for cell in experiment.cells if cell.dataset == "lastfm"}
    values = [0.25, 0.26, 0.26, 0.26, 0.27]
    write_csv(make_table(experiment, {first: results(*values)}, unavailable, 5), tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(experiment.cells)
    assert rows[0]["features"] == "ones"
    assert (rows[0]["mean"], rows[0]["published"], rows[0]["verdict"]) == ("26.00", "22.6", "met")
    assert rows[0]["t_half_width"] == "0.878"
    assert {row["trouble"] for row in rows if row["dataset"] == "lastfm"} == {"data not available"}
    assert all(row["mean"] == "" for row in rows[1:])


def test_a_table_is_read_back_as_it_was_written(tmp_path):
    """Every packaged experiment: cells, values and verdicts to the digits of the file."""
    for experiment in declared.packaged().values():
        cells = experiment.cells
        found = {
            cell: results(*(0.3 + n / 7000 + d / 90 for d in range(5))) for n, cell in enumerate(cells[1:])
        }
        written = make_table(experiment, found, {cells[0]: "not run"}, 5)
        write_csv(written, tmp_path / "table.csv")
        read = read_csv(experiment, tmp_path / "table.csv")
        assert read.experiment == experiment
        for ours, theirs in zip(read.rows, written.rows, strict=True):
            assert (ours.cell, ours.wanted, ours.published) == (theirs.cell, 5, theirs.published)
            assert (ours.trouble, ours.seconds) == (theirs.trouble, theirs.seconds)
            assert ours.values == pytest.approx(theirs.values, rel=1e-5)
            assert (ours.mean, ours.half_width) == pytest.approx((theirs.mean, theirs.half_width), abs=0.005)
        assert read.counts == written.counts


@pytest.mark.parametrize(
    ("change", "message"),
    [(("cora", "corra"), "corra"), (("values", "value"), "values"), (("26.00", "x"), "x")],
)
def test_a_file_of_something_else_is_refused(tmp_path, change, message):
    experiment = declared.packaged()["lpgnn/table3"].only(["cora"], None)
    path = tmp_path / "table.csv"
    write_csv(make_table(experiment, {experiment.cells[0]: results(0.26)}, {}, 1), path)
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(ValueError, match=f"table.csv is no table of lpgnn/table3: .*{message}"):
        read_csv(experiment, path)


def test_stand_ins_are_labelled_without_a_budget():
    experiment = declared.packaged()["lpgnn/table3"]
    table = make_table(experiment, {}, {}, 1)
    assert {table.label(row) for row in table.rows if row.cell.features == "ones"} == {"ones"}
