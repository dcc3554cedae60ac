"""Figures as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hushgraph.experiments import formatting
from hushgraph.experiments.formatting import name_of, number, shown, symbol
from hushgraph.experiments.tables import NOT_AVAILABLE, NOT_RUN, Row, Table

COMPARED = ("met", "above", "below", "undecided")
HEADINGS = {"dataset": "graph", "backbone": "network"}


def table(headings: Iterable[str], lines: Iterable[Sequence[object]]) -> str:
    """A table with these headings."""
    titles = list(headings)
    text = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    return "\n".join([*text, *("| " + " | ".join(map(str, line)) + " |" for line in lines)])


def grid(rows: Iterable[Row], down: Sequence[str], across: str, show: Callable[[Row], str]) -> str:
    """A table of rows: a line for each combination of some words, a column for each value of another."""
    cells = {
        (tuple(getattr(row.cell, word) for word in down), getattr(row.cell, across)): row for row in rows
    }
    columns = list(dict.fromkeys(column for _, column in cells))
    if all(isinstance(column, float) for column in columns):
        columns.sort()
    return table(
        (
            *(HEADINGS.get(word, symbol(word)) for word in down),
            *(shown(across, column) for column in columns),
        ),
        (
            (
                *("–" if word is None else name_of(word) for word in key),
                *(show(cells[key, column]) if (key, column) in cells else "–" for column in columns),
            )
            for key in dict.fromkeys(key for key, _ in cells)
        ),
    )


def beside(row: Row) -> str:
    """Ours with its interval, in parentheses the published mean."""
    theirs = f" ({number(row.published.mean, row.study)})" if row.published else ""
    return formatting.ours(row) + theirs


def means(row: Row) -> str:
    """Ours, in parentheses the published mean."""
    theirs = f" ({number(row.published.mean, row.study)})" if row.published else ""
    return number(row.mean or 0.0, row.study) + theirs


def repeats_of(rows: Iterable[Row]) -> str:
    """How many repeats rows have, such as ``"2–10"``."""
    found = {len(row.values) for row in rows}
    return "–".join(str(one) for one in sorted({min(found), max(found)})) if found else ""


def counts_table(tables: Iterable[Table]) -> str:
    """How the cells of each experiment came out."""
    lines = []
    for found in tables:
        measured = [row for row in found.rows if row.values]
        compared = any(row.published for row in measured)
        absent = sum(row.trouble == NOT_AVAILABLE for row in found.rows)
        lines.append(
            (
                f"`{found.experiment.name}`",
                len(measured),
                repeats_of(measured),
                *(found.counts[verdict] if compared else "–" for verdict in COMPARED),
                absent,
                len(found.rows) - len(measured) - absent,
            )
        )
    return table(
        ("experiment", "cells measured", "repeats", *COMPARED, "data not available", "not run"), lines
    )


def alone(tables: Iterable[Table]) -> str:
    """What private features are worth: cells beside the same where features tell nothing."""
    lines: list[Sequence[object]] = []
    for found in tables:
        for dataset in found.experiment.datasets:
            asked = [row for row in found.rows if row.control and row.cell.dataset == dataset]
            asked = [row for row in asked if row.trouble != NOT_AVAILABLE]
            told = [row for row in asked if row.control and row.control.values]
            first = (f"`{found.experiment.name}`", name_of(dataset))
            lines += [
                (*first, found.label(row), formatting.ours(row) or row.trouble, formatting.graph_alone(row))
                for row in told
            ]
            if len(told) < len(asked):
                rest = formatting.counted(len(asked) - len(told), "private cell")
                lines.append((*first, f"{rest}{' more' if told else ''}", "", NOT_RUN))
    return table(("experiment", "graph", "cell", "ours", "graph alone"), lines)


def counts(rows: Iterable[Row]) -> str:
    """Such as ``"23 met, 1 above, 0 below"``; cells without a published figure are left out."""
    verdicts = [row.verdict for row in rows if row.published]
    named = COMPARED if "undecided" in verdicts else COMPARED[:3]
    return ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in named)


def listed(found: Table, rows: Iterable[Row]) -> str:
    """Cells one by one, with what was published and the difference."""
    lines = [
        f"- {name_of(row.cell.dataset)}, {found.label(row)}: {formatting.ours(row)},"
        f" published {formatting.published(row)}, difference {formatting.difference(row)}"
        for row in rows
    ]
    return "\n".join(lines) or "None."


def signed(value: float) -> str:
    """Points with their sign."""
    return f"{value:+.1f}".replace("-", "−")


def short(value: Any) -> Any:
    """Three digits of a number, and none after the point from a hundred on; words as they are."""
    if not isinstance(value, int | float):
        return value
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
