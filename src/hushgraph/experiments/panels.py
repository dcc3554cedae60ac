"""Tables as panels: which rows make which line in which small picture."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hushgraph.experiments.declared import Chart
from hushgraph.experiments.formatting import name_of, shown, symbol
from hushgraph.experiments.studies.lpgnn import NOT_RANDOMIZED
from hushgraph.experiments.tables import NOT_RUN, Row, Table

# Okabe and Ito's colours, which colour-blind people can tell apart; the markers differ as well.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#333333", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")
# Lines stand this far beside each other, so that one interval does not cover another.
APART = 0.06


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A row in a panel: its place on the x-axis, or None for one that holds all along it."""

    row: Row
    place: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Rows that belong together; the number gives colour and marker, and is the same in every panel."""

    number: int
    name: str
    offset: float = 0.0
    marks: tuple[Mark, ...] = ()

    @property
    def color(self) -> str:
        """As matplotlib and HTML write it."""
        return COLORS[self.number % len(COLORS)]

    @property
    def marker(self) -> str:
        """As matplotlib writes it."""
        return MARKERS[self.number % len(MARKERS)]

    def id_of(self, mark: Mark) -> str:
        """What a mark is called in pictures; no other in its panel is called the same."""
        return f"mark-{self.number}-{'all' if mark.place is None else mark.place}"


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One small picture; all panels of a dataset share their ticks and the limits of their y-axes."""

    key: tuple[Any, ...]
    title: str
    x_name: str
    ticks: tuple[str, ...]
    lines: tuple[Line, ...]
    limits: tuple[float, float]
    log: bool

    @property
    def rows(self) -> list[Row]:
        """Every row in it."""
        return [mark.row for line in self.lines for mark in line.marks]

    @property
    def measured(self) -> bool:
        """Whether there is anything of ours to draw."""
        return any(row.values for row in self.rows)

    @property
    def trouble(self) -> str:
        """Why there is nothing to draw."""
        return next((row.trouble for row in self.rows if row.trouble), NOT_RUN)


def make_panels(table: Table, chart: Chart) -> list[Panel]:
    """The panels of a chart, those without a measured point included.

    A row in which a word of the chart is None belongs to another chart of the table.
    """
    words = (chart.x, chart.lines, *chart.panels)
    rows = [row for row in table.rows if None not in _values(row, words)]
    line_fields = (chart.lines, *_fields_needed(table, rows, words))
    line_keys = _combinations(rows, line_fields)
    middle, log = (len(line_keys) - 1) / 2, table.experiment.study.is_error
    panels = []
    for key in _combinations(rows, chart.panels):
        inside = [row for row in rows if _values(row, chart.panels) == key]
        datasets = {row.cell.dataset for row in inside}
        beside = [row for row in rows if row.cell.dataset in datasets]
        places = _in_order(getattr(row.cell, chart.x) for row in beside if not _is_flat(row, chart))
        marks = defaultdict(list)
        for row in inside:
            place = None if _is_flat(row, chart) else places.index(getattr(row.cell, chart.x))
            marks[_values(row, line_fields)].append(Mark(row, place))
        lines = []
        for number, line_key in enumerate(line_keys):
            name = ", ".join(map(shown, line_fields, line_key))
            along = sorted(marks[line_key], key=lambda mark: mark.place or 0)
            lines.append(Line(number, name, APART * (number - middle), tuple(along)))
        title, ticks = ", ".join(map(shown, chart.panels, key)), tuple(map(name_of, places))
        limits = limits_of(beside, log)
        panels.append(Panel(key, title, symbol(chart.x), ticks, tuple(lines), limits, log))
    return panels


def legend_of(panels: Sequence[Panel]) -> dict[str, Line | None]:
    """What a legend lists: every line, and the published ones together if there are any."""
    lines: dict[str, Line | None] = {line.name: line for line in panels[0].lines}
    published = any(row.published for panel in panels for row in panel.rows)
    return lines | ({"published": None} if published else {})


def columns_of(panels: Sequence[Panel]) -> int:
    """How many panels stand side by side: a row for each dataset, or as even as it gets."""
    if len(panels[0].key) > 1:
        return min(4, len({panel.key[-1] for panel in panels}))
    return len(panels) if len(panels) < 4 else 3 if len(panels) % 4 in (1, 2) else 4


def _values(row: Row, words: Iterable[str]) -> tuple[Any, ...]:
    return tuple(getattr(row.cell, word) for word in words)


def _is_flat(row: Row, chart: Chart) -> bool:
    """Whether nobody's features are randomised, so that a chart over ε_x has one figure for every ε_x."""
    return (chart.x, chart.lines) == ("epsilon_x", "features") and row.cell.features in NOT_RANDOMIZED


def _in_order(values: Iterable[Any]) -> list[Any]:
    """Each once: numbers by size, words as they come."""
    distinct = list(dict.fromkeys(values))
    return sorted(distinct) if all(isinstance(value, int | float) for value in distinct) else distinct


def _combinations(rows: Sequence[Row], words: Sequence[str]) -> list[tuple[Any, ...]]:
    present = {_values(row, words) for row in rows}
    choices = [_in_order(getattr(row.cell, word) for row in rows) for word in words]
    return [combination for combination in itertools.product(*choices) if combination in present]


def _fields_needed(table: Table, rows: Sequence[Row], words: Sequence[str]) -> list[str]:
    """Words that the chart does not use, yet without which two rows would be one point."""
    points = defaultdict(list)
    for row in rows:
        points[_values(row, words)].append(row)
    others = [word for word in ("dataset", *table.experiment.varying) if word not in words]
    return [word for word in others if any(len(_combinations(same, [word])) > 1 for same in points.values())]


def limits_of(rows: Sequence[Row], log: bool) -> tuple[float, float]:
    """A little more than what the rows span, published figures included."""
    intervals = [row.interval for row in rows if row.interval]
    ends = [end for mean, half_width in intervals for end in (mean - half_width, mean, mean + half_width)]
    ends += [row.published.mean for row in rows if row.published]
    if log:
        ends = [math.log10(end) for end in ends if end > 0]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    margin = 0.07 * (high - low) or 0.5
    return (10 ** (low - margin), 10 ** (high + margin)) if log else (low - margin, high + margin)
