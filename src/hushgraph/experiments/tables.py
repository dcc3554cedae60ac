"""Tables of results: ours beside the published figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

from hushgraph.experiments.declared import Experiment
from hushgraph.experiments.formatting import shown
from hushgraph.experiments.published_figures import PublishedFigure, published_figure
from hushgraph.experiments.store import Result
from hushgraph.experiments.studies.lpgnn import NOT_RANDOMIZED
from hushgraph.experiments.studies.study import Study
from hushgraph.metrics import mean_and_interval, student_half_width

Verdict = Literal["met", "above", "below", "undecided", "unpublished", "missing"]
# With fewer repeats there is no verdict: the bootstrap's interval is far too short.
DECISIVE = 5
NOT_AVAILABLE = "data not available"
NOT_RUN = "not run"


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One cell of an experiment: what came of its repeats.

    Attributes:
        cell: what was measured.
        values: one of each repeat, in the units of the table.
        wanted: how many repeats were asked for.
        study: how it was measured.
        published: the paper's figure.
        trouble: why there are fewer repeats than wanted: the data are not available, runs failed or were not
            done yet.
        seconds: the mean time of a repeat.
        results: the runs themselves, unless the row is read from a file.
        interval: mean and half-width as a file has them, from values before these were rounded.
        control: the same where features tell nothing and the graph does all the work; None if that is no
            question here.
        also: what else the study tells, one of each repeat that tells it, in the units of the table.
    """

    cell: Any
    values: Sequence[float]
    wanted: int
    study: Study
    published: PublishedFigure | None = None
    trouble: str = ""
    seconds: float | None = None
    results: Sequence[Result] = ()
    interval: tuple[float, float] | None = None
    control: Row | None = None
    also: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.values and self.interval is None:
            object.__setattr__(self, "interval", mean_and_interval(self.values))

    @property
    def measured(self) -> bool:
        """Whether anything of it was run, its control included."""
        return bool(self.values or (self.control and self.control.values))

    @property
    def mean(self) -> float | None:
        """The mean over repeats, in the units of the table."""
        return None if self.interval is None else self.interval[0]

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % bootstrap interval; 0 for a single repeat."""
        return None if self.interval is None else self.interval[1]

    @property
    def t_half_width(self) -> float | None:
        """Half of Student's 95 % interval; of a single repeat there is none."""
        return student_half_width(self.values) if len(self.values) > 1 else None

    @property
    def difference(self) -> float | None:
        """Ours minus theirs."""
        return None if self.published is None or self.mean is None else self.mean - self.published.mean

    @property
    def verdict(self) -> Verdict:
        """``"met"`` if the two intervals meet, else on which side of the published figure ours is.

        ``"undecided"`` with fewer than five repeats.
        """
        if self.half_width is None:
            return "missing"
        if self.difference is None or self.published is None:
            return "unpublished"
        if len(self.values) < DECISIVE:
            return "undecided"
        if abs(self.difference) <= self.half_width + self.published.half_width:
            return "met"
        return "above" if (self.difference > 0) == self.study.higher_is_better else "below"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """An experiment with what came of it."""

    experiment: Experiment
    rows: tuple[Row, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many cells came out how."""
        found = Counter(row.verdict for row in self.rows)
        return {name: found[name] for name in get_args(Verdict)}

    @property
    def controlled(self) -> bool:
        """Whether there is a row of which one asks what features are worth."""
        return any(row.control for row in self.rows)

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
    controls: Mapping[Any, Sequence[Result]] = MappingProxyType({}),
) -> Table:
    """The table of an experiment from the results of its cells."""
    rows = []
    for cell in experiment.cells:
        done = results.get(cell, ())
        values = _values(experiment, done)
        seconds = math.fsum(result.outcome.seconds for result in done) / len(done) if done else None
        theirs = published_for(experiment, cell)
        trouble = troubles.get(cell, "")
        control = make_control(experiment, cell, _values(experiment, controls.get(cell, ())), wanted)
        also = {name: _values(experiment, done, name) for name in experiment.study.also}
        rows.append(
            Row(
                cell, values, wanted, experiment.study, theirs, trouble, seconds, done,
                control=control, also=also,
            )
        )  # fmt: skip
    return Table(experiment, tuple(rows))


def make_control(
    experiment: Experiment,
    cell: Any,
    values: Sequence[float],
    wanted: int,
    interval: tuple[float, float] | None = None,
) -> Row | None:
    """The row of a cell's control; None if it has none."""
    if not experiment.study.has_control(cell):
        return None
    trouble = "" if values else NOT_RUN
    return Row(cell, values, wanted, experiment.study, trouble=trouble, interval=interval)


def _values(experiment: Experiment, results: Sequence[Result], detail: str | None = None) -> list[float]:
    """What results have, or a detail of those that have it."""
    outcomes = [result.outcome for result in results]
    found = (outcome.value if detail is None else outcome.details.get(detail) for outcome in outcomes)
    return [experiment.study.scale * value for value in found if value is not None]


def published_for(experiment: Experiment, cell: Any) -> PublishedFigure | None:
    """What the paper has for a cell, if it has a figure for it."""
    return published_figure(*experiment.published, cell) if experiment.published else None
