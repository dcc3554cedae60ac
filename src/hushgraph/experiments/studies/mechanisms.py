"""The mechanism that a cell asks for, and graphs in the range that it expects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from hushgraph.graph import Graph
from hushgraph.mechanisms.factory import feature_mechanism
from hushgraph.mechanisms.protocol import FeatureMechanism
from hushgraph.registry import FEATURES


def mechanism_of(asked: Mapping[str, Any]) -> FeatureMechanism:
    """The mechanism of a cell or a configuration; the range is [0, 1] unless it is stated."""
    low, high = asked.get("low"), asked.get("high")
    if (low is None) != (high is None):
        raise ValueError("give both low and high, or neither")
    return feature_mechanism(
        asked["features"], float(asked["epsilon_x"]), delta=asked.get("delta"), low=low, high=high
    )


def is_dense(name: str) -> bool:
    """Whether a mechanism sends every feature."""
    return not hasattr(FEATURES[name].load(), "sampled")


def in_range(graph: Graph, low: float | None, high: float | None) -> Graph:
    """The graph as the LPGNN paper uses it, unless a range is stated.

    Features that are all 0 or 1 stay; real-valued columns are scaled by their own extremes, which makes
    every guarantee on them a mere claim.
    """
    if low is not None and high is not None:
        # Said here without naming anybody, before a mechanism would name whose value it is.
        if graph.features.min() < low or graph.features.max() > high:
            raise ValueError(f"some features of {graph.name!r} lie outside the range [{low:g}, {high:g}]")
        return graph
    values = graph.features.data if sp.issparse(graph.features) else graph.features
    binary = bool(np.isin(values, (0.0, 1.0)).all())
    return graph if binary else graph.rescaled()


def fields_of(cell: Any, *names: str) -> dict[str, Any]:
    """These words of a cell as JSON has them, which knows no infinite budget."""
    words = {name: getattr(cell, name) for name in names}
    return {name: "inf" if value == math.inf else value for name, value in words.items()}
