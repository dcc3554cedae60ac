"""The LPGNN authors' settings, read from benchmarks/published."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

from hushgraph import datasets
from hushgraph.graph import Graph

PUBLISHED = Path(__file__).parent / "published"


def rows(name: str) -> list[dict[str, str]]:
    with (PUBLISHED / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def published_settings(dataset: str, epsilon_x: float, epsilon_y: float) -> dict[str, Any]:
    """The published arguments of LPGNN for private features: steps, learning rate, weight decay, dropout."""

    def as_tuned(epsilon: float) -> float:
        return epsilon if math.isinf(epsilon) else 1.0

    optimizer = next(
        row
        for row in rows("lpgnn_optimizer")
        if (row["dataset"], row["feature"]) == (dataset, "private")
        and (float(row["eps_x"]), float(row["eps_y"])) == (as_tuned(epsilon_x), as_tuned(epsilon_y))
    )
    steps = next(
        row
        for row in rows("lpgnn_steps")
        if row["dataset"] == dataset and (float(row["eps_x"]), float(row["eps_y"])) == (epsilon_x, epsilon_y)
    )
    return {
        "k_x": int(steps["k_x"]),
        "k_y": int(steps["k_y"]),
        "learning_rate": float(optimizer["learning_rate"]),
        "weight_decay": float(optimizer["weight_decay"]),
        "dropout": float(optimizer["dropout"]),
    }


def published_accuracy(dataset: str, epsilon_x: float, epsilon_y: float) -> tuple[float, float]:
    """The paper's mean and half-width in per cent, for GraphSAGE, multi-bit and Drop."""
    for row in rows("accuracy"):
        method = (
            row["paper"],
            row["dataset"],
            row["backbone"],
            row["mechanism"],
            row["feature"],
            row["loss"],
        )
        if method == ("lpgnn", dataset, "sage", "multi_bit", "private", "drop") and (
            float(row["eps_x"]),
            float(row["eps_y"]),
        ) == (epsilon_x, epsilon_y):
            return float(row["mean"]), float(row["ci"])
    raise LookupError(f"the paper has no cell for {dataset} at ({epsilon_x:g}, {epsilon_y:g})")


def published_graph(dataset: str) -> Graph:
    """The graph as the paper uses it: PubMed's real-valued columns are scaled by their own extremes."""
    graph = datasets.load(dataset)
    return graph.rescaled() if dataset == "pubmed" else graph
