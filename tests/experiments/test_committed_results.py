"""The figures that the repository keeps follow from the values beside them."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest

from hushgraph.experiments.declared import packaged
from hushgraph.experiments.table_files import read_tables
from hushgraph.metrics import mean_and_interval

RESULTS = Path(__file__).parents[2] / "docs" / "results"
FOLDERS = sorted({path.parent for path in RESULTS.glob("*/*.csv")})


def in_last_digit(value: float) -> float:
    """Half a unit of the last of four digits, in which the oldest files have their values."""
    return 0.5 * 10 ** (math.floor(math.log10(value)) - 3)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_means_intervals_and_verdicts_follow_from_the_values(folder):
    for table in read_tables(folder, packaged().values()):
        with (folder / f"{table.experiment.file_name}.csv").open(newline="") as file:
            lines = list(csv.DictReader(file))
        for line, row in zip(lines, table.rows, strict=True):
            if not row.values:
                assert line["mean"] == line["verdict"] == ""
                continue
            rounding = 0.005 + max(map(in_last_digit, row.values))
            assert (row.mean, row.half_width) == pytest.approx(mean_and_interval(row.values), abs=rounding)
            if len(row.values) > 1:
                assert float(line["t_half_width"]) == pytest.approx(row.t_half_width, abs=rounding)
            assert line["verdict"] == (row.verdict if row.published else "")
            assert line["published"] == (str(row.published.mean) if row.published else "")
            assert int(line["repeats"]) == len(row.values)
