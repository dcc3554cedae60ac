"""The results page's tables of exact noise and of own budgets."""

from __future__ import annotations

import csv
import json
from collections import Counter
from typing import Any

from report_tables import RESULTS, table

NAMES = {"laplace": "Laplace", "analytic_gaussian": "analytic Gaussian"}


def exact_cells() -> list[dict[str, str]]:
    with (RESULTS / "exact-noise" / "choices-exact-noise.csv").open(newline="") as file:
        return [cell for cell in csv.DictReader(file) if cell["mean"]]


def exact_noise() -> str:
    """Ours with the published figure in parentheses, one column for each ε_x."""
    cells = {(cell["dataset"], cell["features"], float(cell["epsilon_x"])): cell for cell in exact_cells()}
    budgets = sorted({key[2] for key in cells})
    return table(
        ("graph", "noise", *(f"ε_x = {budget:g}" for budget in budgets)),
        (
            (graph, NAMES[noise], *(_shown(cells[graph, noise, budget]) for budget in budgets))
            for graph, noise in dict.fromkeys(key[:2] for key in cells)
        ),
    )


def exact_counts() -> str:
    verdicts = Counter(cell["verdict"] for cell in exact_cells())
    return ", ".join(f"{number} {verdict}" for verdict, number in verdicts.items())


def noise_cost() -> str:
    rows = json.loads((RESULTS / "noise.json").read_text(encoding="utf-8"))
    return table(
        ("noise", "ns a number, exact", "floating-point", "ratio"),
        ((row["noise"], *(f"{row[name]:.0f}" for name in ("exact", "floating", "ratio"))) for row in rows),
    )


def levels() -> dict[str, Any]:
    """What the page says of own budgets."""
    document = json.loads((RESULTS / "levels.json").read_text(encoding="utf-8"))
    rows = document["rows"]
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    found = {(row["who"], row["graph"]): row for row in rows}
    return {
        "levels_epochs": document["epochs"],
        "levels_repeats": document["repeats"],
        "levels": table(
            ("who", *graphs),
            (
                (who, *(_percent(found[who, graph]) for graph in graphs))
                for who in dict.fromkeys(row["who"] for row in rows)
            ),
        ),
    }


def _shown(cell: dict[str, str]) -> str:
    ours = f"{float(cell['mean']):.1f} ± {float(cell['half_width']):.1f}"
    return f"{ours} ({float(cell['published']):.1f} ± {float(cell['published_half_width']):.1f})"


def _percent(row: dict[str, Any]) -> str:
    return f"{100 * row['mean']:.1f} ± {100 * row['half_width']:.1f}"
