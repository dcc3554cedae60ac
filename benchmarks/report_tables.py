"""Markdown tables, and the figures of `hushgraph reproduce` that they are made of."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

RESULTS = Path(__file__).parent.parent / "docs" / "results"


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    titles = [re.sub(r"(?<![ελK])_", " ", heading) for heading in headings]  # symbols keep their subscripts
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(headings)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def short(number: float) -> str:
    """Three digits, and none after the point from a hundred on."""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def reproduced(folder: str) -> list[tuple[str, list[dict[str, str]]]]:
    """The tables of one output folder of `hushgraph reproduce`, by name."""
    tables = []
    for path in sorted((RESULTS / folder).glob("*.csv")):
        with path.open(newline="") as file:
            tables.append((path.stem.replace("-", "/", 1), list(csv.DictReader(file))))
    return tables
