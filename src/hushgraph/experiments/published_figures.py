"""The papers' own figures, found by the words of a cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hushgraph.experiments.hyperparameters import published_rows

# Which study measures what each paper published.
PAPERS = {"lpgnn": "lpgnn", "slides": "lpgnn", "solitude": "solitude", "nip_gnn": "curator"}
# How the file of published figures calls what cells call otherwise.
LOSSES = {"forward_correction": "forward"}


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A mean and the half-width of its interval, in the units of the table."""

    mean: float
    half_width: float


def published_figure(paper: str, table: str | None, cell: Any) -> PublishedFigure | None:
    """The figure that a paper has for this cell in a table, or in any of them."""
    return _figures().get((paper, table, *_words_of(cell)))


@lru_cache(maxsize=1)
def _figures() -> dict[tuple[Any, ...], PublishedFigure]:
    return {
        (row["paper"], table, *_words_in(row)): PublishedFigure(float(row["mean"]), float(row["ci"] or 0))
        for row in published_rows("accuracy")
        if row["paper"] in PAPERS
        for table in (row["table"], None)
    }


def _words_in(row: dict[str, str]) -> tuple[Any, ...]:
    if PAPERS[row["paper"]] == "curator":
        return row["dataset"], row["method"], float(row["eps"])
    features = row["mechanism"] or row["feature"]
    eps_x, eps_y = float(row["eps_x"] or "inf"), float(row["eps_y"] or "inf")
    if PAPERS[row["paper"]] == "solitude":
        method, eps_a, label_rate = row["method"], float(row["eps_a"]), 0.5
        return row["dataset"], row["backbone"], features, method, eps_x, eps_y, eps_a, label_rate
    loss = LOSSES.get(row["loss"], row["loss"]) or "drop"
    return row["dataset"], row["backbone"], features, loss, eps_x, eps_y


def _words_of(cell: Any) -> tuple[Any, ...]:
    if hasattr(cell, "eps"):
        return cell.dataset, cell.method, cell.eps
    if hasattr(cell, "eps_a"):
        return (
            cell.dataset, cell.backbone, cell.features, cell.method, cell.eps_x, cell.eps_y, cell.eps_a,
            cell.label_rate,
        )  # fmt: skip
    return cell.dataset, cell.backbone, cell.features, cell.loss, cell.eps_x, cell.eps_y
