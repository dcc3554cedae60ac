"""The figures that the repository keeps: tables of `hushgraph reproduce`, measurements of benchmarks."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from hushgraph.experiments.declared import packaged
from hushgraph.experiments.table_files import read_tables
from hushgraph.experiments.tables import Row, Table

RESULTS = Path(__file__).parents[1] / "results"


@lru_cache
def tables(*folders: str) -> dict[str, Table]:
    """The tables of these folders, by the names of their experiments."""
    known = packaged().values()
    found = [table for folder in folders for table in read_tables(RESULTS / folder, known)]
    return {table.experiment.name: table for table in found}


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
