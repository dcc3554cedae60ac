"""What must be hard to tell apart when a curator holds the data: an edge, or a whole person."""

from __future__ import annotations

import math
import warnings
from typing import Literal

from hushgraph import _check

NeighboringRelation = Literal["edge", "node-removal", "node-replacement"]

PROTECTS: dict[NeighboringRelation, str] = {
    "edge": "one friendship",
    "node-removal": "one person's features, label and friendships",
    "node-replacement": "one person's features, label and friendships",
}


def described(relation: NeighboringRelation, max_degree: int | None) -> str:
    """Which two graphs are neighbours, in words."""
    bounded = "" if max_degree is None else f", nobody in either with more than {max_degree} friends"
    return {
        "edge": "two graphs of the same people, features and labels that differ in one friendship",
        "node-removal": "two graphs of n people" + bounded + ", one of which has nothing of one person"
        " (add/remove): no features, no label, no friendships; that the person exists is public",
        "node-replacement": "two graphs of n people" + bounded + ", that differ in all that one person has"
        " (replacement): features, label and friendships",
    }[relation]


def checked_delta(delta: float | None, num_nodes: int) -> float:
    """The δ that was given, with a warning if it is too large to mean anything; or the one by rule."""
    if delta is None:
        return delta_by_rule(num_nodes)
    delta = _check.delta(delta)
    if delta >= 1 / num_nodes:
        warnings.warn(
            f"delta = {delta:g} is not below 1/n = {1 / num_nodes:.2g}: publishing the data of a few people"
            " picked at random would satisfy it too",
            stacklevel=3,
        )
    return delta


def delta_by_rule(num_nodes: int) -> float:
    """The largest power of ten below 1/n, for n people.

    >>> delta_by_rule(2708), delta_by_rule(1000)
    (0.0001, 0.0001)
    """
    exponent = math.floor(math.log10(num_nodes)) + 1
    return float(f"1e-{exponent}")
