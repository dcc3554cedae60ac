"""The page of the talk."""

from __future__ import annotations

from typing import Any

from docs.pages.kept import rows, tables
from docs.pages.markdown import alone, counts_table, grid, listed

from hushgraph.experiments.formatting import ours, published
from hushgraph.experiments.tables import Row

SHOWN = 5


def figures() -> dict[str, Any]:
    """What the template asks for."""
    found = tables("slides")
    compared = rows("slides", "slides/micro-f1")
    gaps = sorted(compared, key=lambda row: row.difference)
    return {
        "cells": len(compared),
        "repeats": len(compared[0].values),
        "within_a_point": sum(abs(row.difference) <= 1 for row in compared),
        "higher": sum(row.difference > 1 for row in compared),
        "lower": sum(row.difference < -1 for row in compared),
        "all_counts": counts_table(found.values()),
        "alone": alone([found["slides/micro-f1"]]),
        "micro_f1": grid(compared, ("features", "epsilon_x"), "dataset", both),
        "shown": SHOWN,
        "lowest": listed(found["slides/micro-f1"], gaps[:SHOWN]),
        "highest": listed(found["slides/micro-f1"], gaps[: -SHOWN - 1 : -1]),
    }


def both(row: Row) -> str:
    """Ours, then the talk's."""
    return f"{ours(row)}; {published(row)}"
