"""Tables of experiments, in the terminal and as JSON."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from rich.markup import escape
from rich.table import Table as TerminalTable

from hushgraph.datasets.loading import is_public
from hushgraph.experiments import formatting
from hushgraph.experiments.tables import DECISIVE, Row, Table

COLORS = {"met": "green", "above": "green", "below": "red"}


def terminal_table(table: Table) -> TerminalTable:
    """One line a cell; a graph of which there is nothing to show or compare takes one line in all."""
    experiment = table.experiment
    compared = any(row.published for row in table.rows)
    title = f"{experiment.name}: {experiment.title}"
    shown = TerminalTable("graph", "cell", title=escape(title), title_justify="left")
    controlled = table.controlled
    beside = ["graph alone"] if controlled else []
    for name in ("ours", *beside, *(["published", "difference", "intervals"] if compared else [])):
        shown.add_column(name, justify="left" if name == "intervals" else "right")
    for dataset in experiment.datasets:
        rows = [row for row in table.rows if row.cell.dataset == dataset]
        graph = escape(formatting.name_of(dataset))
        shown.add_section()
        if not compared and len({row.trouble for row in rows}) == 1 and not any(row.measured for row in rows):
            shown.add_row(graph, formatting.counted(len(rows), "cell"), escape(rows[0].trouble))
            continue
        for number, row in enumerate(rows):
            alone = [formatting.graph_alone(row)] if controlled else []
            figures = (_ours(row), *alone, *(_compared(row) if compared else ()))
            shown.add_row("" if number else graph, escape(table.label(row)), *figures)
    return shown


def summary(table: Table) -> str:
    """How many cells came out how."""
    meanings = {
        "met": "met the published figure",
        "above": "above it",
        "below": "below it",
        "undecided": f"undecided with fewer than {DECISIVE} repeats",
        "unpublished": "measured without a published figure",
        "missing": "missing",
    }
    counts = [f"{number} {meanings[name]}" for name, number in table.counts.items() if number]
    return "cells: " + ", ".join(counts)


def described(table: Table) -> dict[str, Any]:
    """Plain values for JSON; what is computed from true labels of the user's own people is marked."""
    own = [not is_public(row.cell.dataset) for row in table.rows]
    return {
        "name": table.experiment.name,
        **_marked({"counts": table.counts}, any(own)),
        "rows": [
            {
                "dataset": formatting.name_of(row.cell.dataset),
                "cell": table.label(row),
                "repeats": len(row.values),
                **_marked(_figures(row), private),
                "published": row.published.mean if row.published else None,
                "published_half_width": row.published.half_width if row.published else None,
                "trouble": row.trouble,
            }
            for row, private in zip(table.rows, own, strict=True)
        ],
    }


def _figures(row: Row) -> dict[str, Any]:
    return {
        "mean": row.mean,
        "half_width": row.half_width,
        "t_half_width": row.t_half_width,
        "difference": row.difference,
        "verdict": row.verdict,
        "graph_alone": row.control.mean if row.control else None,
        "graph_alone_half_width": row.control.half_width if row.control else None,
        **{name: fmean(values) for name, values in row.also.items() if values},
    }


def _marked(values: dict[str, Any], private: bool) -> dict[str, Any]:
    return {"private": values} if private else values


def _ours(row: Row) -> str:
    if not row.values:
        return escape(row.trouble)
    fewer = "" if len(row.values) == row.wanted else f" ({formatting.repeats(row)} runs)"
    return formatting.ours(row) + fewer


def _compared(row: Row) -> tuple[str, str, str]:
    verdict = f"[{COLORS.get(row.verdict, 'dim')}]{row.verdict}[/]" if row.published and row.values else ""
    return formatting.published(row), formatting.difference(row), verdict
