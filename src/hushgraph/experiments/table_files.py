"""Tables as CSV files: one line a cell, with the value of every repeat, and back."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from hushgraph._files import atomic_write
from hushgraph.experiments.declared import Experiment
from hushgraph.experiments.old_names import todays
from hushgraph.experiments.tables import Row, Table, make_control, published_for

CONTROL_MEAN, CONTROL_HALF_WIDTH, CONTROL = "graph_alone", "graph_alone_half_width", "graph_alone_values"


def write_csv(table: Table, path: Path) -> None:
    """The table with every word that varies, one line a cell; ``values`` are those of the finished seeds."""
    controlled = any(row.control and row.control.values for row in table.rows)
    lines = [
        {
            **_words(table.experiment, row.cell),
            "repeats": len(row.values),
            "mean": _rounded(row.mean),
            "half_width": _rounded(row.half_width),
            "t_half_width": _rounded(row.t_half_width),
            "published": row.published.mean if row.published else "",
            "published_half_width": row.published.half_width if row.published else "",
            "difference": _rounded(row.difference),
            "verdict": row.verdict if row.published and row.values else "",
            "seconds": _rounded(row.seconds),
            "values": _listed(row.values),
            **{name: _listed(row.also.get(name, ())) for name in table.experiment.study.also},
            **(_control(row) if controlled else {}),
            "trouble": row.trouble,
        }
        for row in table.rows
    ]
    text = io.StringIO()
    writer = csv.DictWriter(text, lines[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    with atomic_write(path) as file:
        file.write(text.getvalue().encode())


def read_tables(folder: Path, experiments: Collection[Experiment]) -> list[Table]:
    """The tables of a folder's CSV files, in the order of the experiments that they are of."""
    names = [experiment.file_name for experiment in experiments]
    files = {path.stem: path for path in sorted(Path(folder).glob("*.csv"))}
    for name, path in files.items():
        if name not in names:
            raise ValueError(f"{path} is of no known experiment; give the TOML file that declares it")
    if not files:
        raise ValueError(f"{folder} has no CSV files")
    return [
        read_csv(experiment, files[experiment.file_name])
        for experiment in experiments
        if experiment.file_name in files
    ]


def read_csv(experiment: Experiment, path: Path) -> Table:
    """The table that :func:`write_csv` wrote, with its means and intervals and without the runs."""
    cells = {tuple(_words(experiment, cell).values()): cell for cell in experiment.cells}
    with path.open(newline="", encoding="utf-8") as file:
        lines = [todays(line) for line in csv.DictReader(file)]
    try:
        wanted = max(
            len(found.split()) for line in lines for found in (line["values"], line.get(CONTROL, ""))
        )
        rows = [_read_row(experiment, cells, line, wanted) for line in lines]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is no table of {experiment.name}: {error!r}") from error
    return Table(dataclasses.replace(experiment, cells=tuple(row.cell for row in rows)), tuple(rows))


def _read_row(experiment: Experiment, cells: Mapping[Any, Any], line: dict[str, str], wanted: int) -> Row:
    cell = cells[tuple(line[word] for word in ("dataset", *experiment.varying))]
    values = [float(value) for value in line["values"].split()]
    interval = (float(line["mean"]), float(line["half_width"])) if values else None
    seconds = float(line["seconds"]) if line["seconds"] else None
    theirs = published_for(experiment, cell)
    return Row(
        cell, values, wanted, experiment.study, theirs, line["trouble"], seconds, interval=interval,
        control=_read_control(experiment, cell, line, wanted),
        also={
            name: [float(value) for value in line.get(name, "").split()] for name in experiment.study.also
        },
    )  # fmt: skip


def _control(row: Row) -> dict[str, str]:
    """Mean, interval and values where features tell nothing; empty where that is no question."""
    beside = row.control
    return {
        CONTROL_MEAN: _rounded(beside.mean if beside else None),
        CONTROL_HALF_WIDTH: _rounded(beside.half_width if beside else None),
        CONTROL: _listed(beside.values if beside else ()),
    }


def _read_control(experiment: Experiment, cell: Any, line: dict[str, str], wanted: int) -> Row | None:
    """Older files have no controls: then these were not run."""
    values = [float(value) for value in line.get(CONTROL, "").split()]
    interval = (float(line[CONTROL_MEAN]), float(line[CONTROL_HALF_WIDTH])) if values else None
    return make_control(experiment, cell, values, wanted, interval)


def _listed(values: Sequence[float]) -> str:
    return " ".join(f"{value:.6g}" for value in values)


def _words(experiment: Experiment, cell: Any) -> dict[str, str]:
    """What tells a cell from the others, as a file has it."""
    words = {word: _plain(getattr(cell, word)) for word in experiment.varying}
    return {"dataset": Path(cell.dataset).name, **words}


def _plain(value: Any) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _rounded(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}" if abs(value) < 1 else f"{value:.2f}"
