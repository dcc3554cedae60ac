"""Feature mechanisms by the words that experiments use, and graphs in the range that these expect."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp

from hushgraph import _check
from hushgraph.graph import Graph
from hushgraph.mechanisms import AnalyticGaussian, Laplace, MultiBit, OneBit
from hushgraph.mechanisms.protocol import FeatureMechanism

MECHANISMS = ("multi_bit", "one_bit", "laplace", "analytic_gaussian")
DENSE = ("one_bit", "laplace", "analytic_gaussian")


def make_mechanism(
    kind: str, epsilon: float, delta: float | None, low: float | None, high: float | None
) -> FeatureMechanism:
    """The mechanism of a cell; the range is [0, 1] unless it is stated."""
    ends = (0.0, 1.0) if low is None or high is None else (low, high)
    if kind == "analytic_gaussian":
        return AnalyticGaussian(epsilon, delta, *ends)
    kinds: dict[str, Any] = {"multi_bit": MultiBit, "one_bit": OneBit, "laplace": Laplace}
    mechanism: FeatureMechanism = kinds[kind](epsilon, *ends)
    return mechanism


def check_mechanism(
    kind: str, epsilon: float, delta: float | None, low: float | None, high: float | None
) -> None:
    """Refuses what :func:`make_mechanism` would refuse, before anything is run."""
    _check.choice(kind, "features", MECHANISMS)
    if (low is None) != (high is None):
        raise ValueError("give both low and high, or neither")
    if delta is not None and kind != "analytic_gaussian":
        raise ValueError(f"delta is for 'analytic_gaussian' alone, and features are {kind!r}")
    make_mechanism(kind, epsilon, delta, low, high)


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


def plain(epsilon: float | None) -> float | str | None:
    """A budget as JSON has it."""
    return "inf" if epsilon is not None and math.isinf(epsilon) else epsilon
