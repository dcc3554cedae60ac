"""Tables of results: ours beside the published figures."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from hushgraph._files import atomic_write
from hushgraph.experiments.declared import Experiment
from hushgraph.experiments.formatting import shown
from hushgraph.experiments.published_figures import PublishedFigure, published_figure
from hushgraph.experiments.store import Result
from hushgraph.experiments.studies.lpgnn import NOT_RANDOMIZED
from hushgraph.experiments.studies.study import Study
from hushgraph.metrics import mean_and_interval

Verdict = Literal["met", "above", "below", "unpublished", "missing"]
NOT_AVAILABLE = "data not available"
NOT_RUN = "not run"


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One cell of an experiment: what came of its repeats.

    ``trouble`` says why there are fewer repeats than wanted: the data are not available, runs failed or were
    not done yet.
    """

    cell: Any
    results: Sequence[Result]
    wanted: int
    study: Study
    published: PublishedFigure | None = None
    trouble: str = ""
    interval: tuple[float, float] | None = field(init=False)

    def __post_init__(self) -> None:
        values = [self.study.scale * result.outcome.value for result in self.results]
        object.__setattr__(self, "interval", mean_and_interval(values) if values else None)

    @property
    def mean(self) -> float | None:
        """The mean over repeats, in the units of the table."""
        return None if self.interval is None else self.interval[0]

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % bootstrap interval; 0 for a single repeat."""
        return None if self.interval is None else self.interval[1]

    @property
    def difference(self) -> float | None:
        """Ours minus theirs."""
        return None if self.published is None or self.mean is None else self.mean - self.published.mean

    @property
    def verdict(self) -> Verdict:
        """``"met"`` if the two intervals meet, else on which side of the published figure ours is."""
        if self.half_width is None:
            return "missing"
        if self.difference is None or self.published is None:
            return "unpublished"
        if abs(self.difference) <= self.half_width + self.published.half_width:
            return "met"
        return "above" if (self.difference > 0) == self.study.higher_is_better else "below"

    @property
    def seconds(self) -> float | None:
        """The mean time of a repeat."""
        taken = [result.outcome.seconds for result in self.results]
        return math.fsum(taken) / len(taken) if taken else None


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """An experiment with what came of it."""

    experiment: Experiment
    rows: tuple[Row, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many cells met the published figure, are above or below, have none, or are missing."""
        found = Counter(row.verdict for row in self.rows)
        return {name: found[name] for name in get_args(Verdict)}

    def label(self, row: Row) -> str:
        """What tells the row from the others of its dataset."""
        return ", ".join(
            shown(word, getattr(row.cell, word))
            for word in self.experiment.varying
            if getattr(row.cell, word) is not None
            and word != "delta"
            and not (word == "epsilon_x" and row.cell.features in NOT_RANDOMIZED)
        )


def make_table(
    experiment: Experiment,
    results: Mapping[Any, Sequence[Result]],
    troubles: Mapping[Any, str],
    wanted: int,
) -> Table:
    """The table of an experiment from the results of its cells."""
    rows = (
        Row(
            cell,
            results.get(cell, ()),
            wanted,
            experiment.study,
            published_figure(*experiment.published, cell) if experiment.published else None,
            troubles.get(cell, ""),
        )
        for cell in experiment.cells
    )
    return Table(experiment, tuple(rows))


def write_csv(table: Table, path: Path) -> None:
    """The table with every word that varies, one line a cell; ``values`` are those of the finished seeds."""
    words = table.experiment.varying
    lines = [
        {
            "dataset": Path(row.cell.dataset).name,
            **{word: _plain(getattr(row.cell, word)) for word in words},
            "repeats": len(row.results),
            "mean": _rounded(row.mean),
            "half_width": _rounded(row.half_width),
            "published": row.published.mean if row.published else "",
            "published_half_width": row.published.half_width if row.published else "",
            "difference": _rounded(row.difference),
            "verdict": row.verdict if row.published and row.results else "",
            "seconds": _rounded(row.seconds),
            "values": " ".join(f"{row.study.scale * result.outcome.value:.4g}" for result in row.results),
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


def _plain(value: Any) -> Any:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else value


def _rounded(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}" if abs(value) < 1 else f"{value:.2f}"
