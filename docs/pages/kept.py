"""The figures that the repository keeps: tables of `hushgraph reproduce`, measurements of benchmarks."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from hushgraph.experiments.declared import Experiment, packaged
from hushgraph.experiments.table_files import read_csv, read_tables
from hushgraph.experiments.tables import NOT_RUN, Row, Table, make_table

RESULTS = Path(__file__).parents[1] / "results"


@lru_cache
def tables(*folders: str) -> dict[str, Table]:
    """The tables of these folders, by the names of their experiments."""
    known = packaged().values()
    found = [
        with_controls(with_cells(table, f"{folder}-facebook"), f"{folder}-controls")
        for folder in folders
        for table in read_tables(RESULTS / folder, known)
    ]
    return {table.experiment.name: table for table in found}


def tables_or_none(folder: str, names: Iterable[str]) -> dict[str, Table]:
    """The tables of these experiments; one that the folder does not have is all cells that were not run."""
    known = packaged()
    there = tables(folder) if any((RESULTS / folder).glob("*.csv")) else {}
    return {name: there.get(name) or not_run(known[name]) for name in names}


def not_run(experiment: Experiment) -> Table:
    """The table of an experiment of which there is nothing."""
    return make_table(experiment, {}, dict.fromkeys(experiment.cells, NOT_RUN), 0)


def with_cells(table: Table, folder: str) -> Table:
    """The table with the cells that were run apart, if there are any."""
    path = RESULTS / folder / f"{table.experiment.file_name}.csv"
    if not path.exists():
        return table
    whole = packaged()[table.experiment.name]
    there = {row.cell: row for row in table.rows}
    there |= {row.cell: row for row in read_csv(whole, path).rows if row.values}
    cells = tuple(cell for cell in whole.cells if cell in there)
    return Table(dataclasses.replace(whole, cells=cells), tuple(there[cell] for cell in cells))


def with_controls(table: Table, folder: str) -> Table:
    """The table with the controls that were run apart, if there are any."""
    path = RESULTS / folder / f"{table.experiment.file_name}.csv"
    if not path.exists():
        return table
    apart = read_csv(packaged()[table.experiment.name], path)
    controls = {row.cell: row.control for row in apart.rows if row.control and row.control.values}
    rows = (dataclasses.replace(row, control=controls.get(row.cell, row.control)) for row in table.rows)
    return Table(table.experiment, tuple(rows))


def rows(folder: str, name: str, **words: Any) -> list[Row]:
    """The measured rows of an experiment whose cells have these words."""
    return [
        row
        for row in tables(folder)[name].rows
        if row.values and all(getattr(row.cell, word) == value for word, value in words.items())
    ]


@lru_cache
def measured(name: str) -> Any:
    """What a benchmark wrote."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
