"""Tables of results: ours beside the published figures."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from hushgraph._files import atomic_write
from hushgraph.assess import mean_and_interval
from hushgraph.experiments.declared import Experiment
from hushgraph.experiments.folder import Result
from hushgraph.experiments.published_figures import PublishedFigure, published_figure
from hushgraph.experiments.studies.lpgnn import STAND_INS

Verdict = Literal["met", "above", "below"]
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
    scale: float
    published: PublishedFigure | None = None
    higher_is_better: bool = True
    trouble: str = ""
    interval: tuple[float, float] | None = field(init=False)

    def __post_init__(self) -> None:
        values = [self.scale * result.outcome.value for result in self.results]
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
    def verdict(self) -> Verdict | None:
        """``"met"`` if the two intervals meet, else on which side of the published figure ours is."""
        if self.difference is None or self.published is None or self.half_width is None:
            return None
        if abs(self.difference) <= self.half_width + self.published.half_width:
            return "met"
        return "above" if (self.difference > 0) == self.higher_is_better else "below"

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
        found = Counter(row.verdict or ("unpublished" if row.results else "missing") for row in self.rows)
        return {name: found[name] for name in ("met", "above", "below", "unpublished", "missing")}

    def label(self, row: Row) -> str:
        """What tells the row from the others of its dataset."""
        return ", ".join(
            shown(word, getattr(row.cell, word))
            for word in self.experiment.varying
            if word != "delta" and _says_something(row.cell, word)
        )


def make_table(
    experiment: Experiment,
    results: Mapping[Any, Sequence[Result]],
    troubles: Mapping[Any, str],
    wanted: int,
) -> Table:
    """The table of an experiment from the results of its cells."""
    study = experiment.study
    return Table(
        experiment,
        tuple(
            Row(
                cell,
                results.get(cell, ()),
                wanted,
                study.scale,
                published_figure(*experiment.published, cell) if experiment.published else None,
                study.higher_is_better,
                troubles.get(cell, ""),
            )
            for cell in experiment.cells
        ),
    )


def _says_something(cell: Any, word: str) -> bool:
    """Whether the word is stated; features that nobody randomises have no ε_x."""
    without_budget = word == "eps_x" and cell.features in ("raw", *STAND_INS)
    return getattr(cell, word) is not None and not without_budget


SYMBOLS = {"eps_x": "ε_x", "eps_y": "ε_y", "k_x": "K_x", "k_y": "K_y", "delta": "δ"}
NAMES = {
    "multi_bit": "multi-bit",
    "one_bit": "1-bit",
    "laplace": "Laplace",
    "analytic_gaussian": "analytic Gaussian",
    "one_hot_degree": "one-hot degree",
    "raw": "true features",
    "sage": "GraphSAGE",
    "gcn": "GCN",
    "gat": "GAT",
    "gin": "GIN",
    "drop": "Drop",
    "forward": "forward correction",
    "cross_entropy": "cross-entropy",
    "cora": "Cora",
    "citeseer": "CiteSeer",
    "pubmed": "PubMed",
    "facebook": "Facebook",
    "github": "GitHub",
    "lastfm": "LastFM",
    "lastfm18": "LastFM (18 classes)",
}


def name_of(value: Any) -> str:
    """A word or a number as people write it."""
    if isinstance(value, float):
        return "∞" if math.isinf(value) else f"{value:g}"
    return NAMES.get(value) or Path(str(value)).name.removesuffix(".npz")


def shown(word: str, value: Any) -> str:
    """A word of a cell with its value, such as ``"ε_x = 0.1"`` or ``"multi-bit"``."""
    if isinstance(value, str) and word != "selection":
        return name_of(value)
    return f"{SYMBOLS.get(word, word.replace('_', ' '))} = {name_of(value)}"


def write_csv(table: Table, path: Path) -> None:
    """The table with every word that varies, one line a cell; ``values`` are those of seeds 0, 1, …"""
    words = ("dataset", *table.experiment.varying)
    lines = [
        {
            **{word: _plain(getattr(row.cell, word)) for word in words},
            "repeats": len(row.results),
            "mean": _rounded(row.mean),
            "half_width": _rounded(row.half_width),
            "published": row.published.mean if row.published else "",
            "published_half_width": row.published.half_width if row.published else "",
            "difference": _rounded(row.difference),
            "verdict": row.verdict or "",
            "seconds": _rounded(row.seconds),
            "values": " ".join(f"{row.scale * result.outcome.value:.4g}" for result in row.results),
            "trouble": row.trouble,
        }
        for row in table.rows
    ]
    text = io.StringIO()
    writer = csv.DictWriter(text, lines[0] if lines else words, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    with atomic_write(path) as file:
        file.write(text.getvalue().encode())


def _plain(value: Any) -> Any:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else value


def _rounded(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}" if abs(value) < 1 else f"{value:.2f}"
