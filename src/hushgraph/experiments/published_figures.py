"""The papers' own figures, found by the words of a cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hushgraph.experiments.hyperparameters import published_rows

# Which study measures what each paper published.
PAPERS = {
    "lpgnn": "lpgnn", "slides": "lpgnn", "solitude": "solitude", "nip_gnn": "curator",
    "nip_gnn_attacks": "attacks",
}  # fmt: skip
# How the file of published figures calls what cells call otherwise.
LOSSES = {"forward_correction": "forward"}
# By which fields of a cell a figure is found.
FIELDS = {
    "lpgnn": ("dataset", "backbone", "features", "loss", "epsilon_x", "epsilon_y"),
    "solitude": (
        "dataset", "backbone", "features", "method", "epsilon_x", "epsilon_y", "epsilon_a", "label_rate",
    ),
    "curator": ("dataset", "method", "epsilon"),
    "attacks": ("dataset", "method", "epsilon", "attack"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A mean and the half-width of its interval, in the units of the table."""

    mean: float
    half_width: float


def published_figure(paper: str, table: str | None, cell: Any) -> PublishedFigure | None:
    """The figure that a paper has for this cell in a table, or in any of them."""
    return _figures().get((paper, table, *(getattr(cell, name) for name in FIELDS[PAPERS[paper]])))


@lru_cache(maxsize=1)
def _figures() -> dict[tuple[Any, ...], PublishedFigure]:
    attacks = [
        row | {"paper": f"{row['paper']}_attacks", "mean": row["attack_accuracy"]}
        for row in published_rows("membership_inference")
    ]
    return {
        (row["paper"], table, *_values_in(row)): PublishedFigure(float(row["mean"]), float(row["ci"] or 0))
        for row in [*published_rows("accuracy"), *attacks]
        if row["paper"] in PAPERS
        for table in (row["table"], None)
    }


def _values_in(row: dict[str, str]) -> tuple[Any, ...]:
    values: dict[str, Any] = dict(row) | {"label_rate": 0.5}
    if "loss" in row:
        values["features"] = row["mechanism"] or row["feature"]
        values["loss"] = LOSSES.get(row["loss"], row["loss"]) or "drop"
    for name in ("epsilon", "epsilon_x", "epsilon_y", "epsilon_a"):
        values[name] = float(row.get(name) or "inf")
    return tuple(values[name] for name in FIELDS[PAPERS[row["paper"]]])
