"""The page of the cascade compares like with like, seed by seed, and shows what is missing as missing."""

from __future__ import annotations

import dataclasses
import math

import pytest
from docs.pages import cascade
from docs.pages.kept import not_run, tables

from hushgraph.experiments.declared import packaged
from hushgraph.experiments.tables import Row, Table


def with_values(table, values):
    """The table with these values in every cell."""
    rows = (dataclasses.replace(row, values=values, wanted=len(values), trouble="") for row in table.rows)
    return Table(table.experiment, tuple(rows))


def of(name, values=()):
    table = not_run(packaged()[f"cascade/{name}"])
    return with_values(table, values) if values else table


def test_differences_are_paired_by_seed_with_the_best_of_the_same_budgets():
    (found,) = (
        one
        for one in cascade.against(of("table4", [80.0] * 10), tables("lpgnn")["lpgnn/table4"].rows)
        if (one.cascade.cell.dataset, one.cascade.cell.epsilon_y) == ("cora", 1)
    )
    assert (found.best.cell.loss, found.best.cell.epsilon_y, found.paper) == ("drop", 1, 69.3)
    assert found.gains == pytest.approx([80.0 - value for value in found.best.values])
    assert cascade.difference(found.gains) == "+9.9 ± 2.6"


def test_the_best_here_is_over_the_seeds_that_are_paired():
    cells = cascade.against(of("solitude-table3", [80.0] * 10), tables("solitude")["solitude/table3"].rows)
    for one in cells:
        if one.best:
            assert len(one.best.values) == 10
            assert one.cascade.mean - one.best.mean == pytest.approx(sum(one.gains) / 10)


def test_a_row_that_lost_a_seed_is_not_paired():
    (one, *_) = cascade.against(of("table4", [80.0] * 10), tables("lpgnn")["lpgnn/table4"].rows)
    short = dataclasses.replace(one, cascade=dataclasses.replace(one.cascade, values=[80.0] * 9, wanted=10))
    assert (len(one.gains), short.gains) == (10, [])


def test_what_was_not_run_is_shown_so_and_counts_as_nothing():
    rivals = [row for row in tables("lpgnn")["lpgnn/figure3"].rows if row.cell.dataset != "facebook"]
    cells = cascade.against(of("figure3", [90.0] * 10), rivals)
    lines = cascade.listed(cells, ("cell", cascade.budgets), ("LPGNN", cascade.best)).splitlines()
    facebook = [line for line in lines if "Facebook" in line]
    assert len(facebook) == 24
    assert all(line.endswith("| – | not run | – |") for line in facebook)
    assert "| 72 of 72 | 0 of 0 | 48 of 48 |" in cascade.standing({"figure3": cells})
    assert cascade.mean_gain(cascade.against(of("table4"), ())) == "not run"


def test_the_same_total_is_what_both_budgets_come_to():
    rivals = [row for name in cascade.LPGNN for row in tables("lpgnn")[f"lpgnn/{name}"].rows]
    cells = cascade.same_total(of("total", [90.0] * 10), rivals)
    assert {one.cascade.cell.dataset for one in cells} == {"cora", "pubmed", "facebook"}
    assert len(cells) == 3 * 11
    for one in cells:
        for row in one.rivals:
            assert row.cell.epsilon_x + row.cell.epsilon_y == pytest.approx(one.cascade.cell.epsilon_y)
            assert row.cell.epsilon_y <= 2
            assert math.isfinite(row.cell.epsilon_x)
    assert cascade.mean_gain(cells).endswith("of 33 cells")


def test_noise_that_is_now_exact_is_compared_with_its_own_reports():
    others = tables("lpgnn", "exact-noise")
    rows: list[Row] = cascade.with_todays_noise(others)
    again = {id(row) for row in others["choices/exact-noise"].rows}
    old = [row for row in rows if row.cell.features in ("laplace", "gaussian") and id(row) not in again]
    assert {row.cell.dataset for row in old} == {"lastfm"}
    assert len(rows) == len(others["lpgnn/table2"].rows)
