"""The LPGNN authors' settings for multi-bit features, and graphs in the range that these expect."""

from __future__ import annotations

from typing import Any

from hushgraph import datasets
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.studies.mechanisms import in_range
from hushgraph.graph import Graph


def published_settings(dataset: str, epsilon_x: float, epsilon_y: float) -> dict[str, Any]:
    """The published arguments of LPGNN: steps, learning rate, weight decay, dropout."""
    return Hyperparameters.published().look_up(dataset, "private", epsilon_x, epsilon_y)


def published_graph(dataset: str) -> Graph:
    """The graph as the paper uses it: real-valued columns are scaled by their own extremes."""
    return in_range(datasets.load(dataset), None, None)
