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


def described(relation: NeighboringRelation, max_degree: int | None, bounded: bool = False) -> str:
    """Which two graphs are neighbours, in words."""
    if relation == "edge":
        return "two graphs of the same people, features and labels that differ in one friendship"
    graphs, who = "two graphs of n people", ""
    if max_degree is not None and bounded:
        graphs += f", nobody in either with more than {max_degree} friends"
    elif max_degree is not None:
        who = f", at most {max_degree} of these in either graph; everybody else may have any number"
    if relation == "node-removal":
        return (
            f"{graphs}, one of which has nothing of one person (add/remove): no features, no label, no"
            f" friendships{who}; that the person exists is public"
        )
    return f"{graphs} that differ in all that one person has (replacement): features, label, friendships{who}"


def not_covered(max_degree: int) -> str:
    """Whom a promise under a cap leaves out."""
    return f"somebody with more than {max_degree} friends is not covered; how many there are is not told"


def records(relation: NeighboringRelation, num_nodes: int) -> int:
    """How many there are of what is protected: people, or pairs of them who may be friends."""
    return num_nodes * (num_nodes - 1) // 2 if relation == "edge" else num_nodes


def checked_delta(delta: float | None, relation: NeighboringRelation, num_nodes: int) -> float:
    """The δ that was given, with a warning if it is too large to mean anything; or the one by rule."""
    protected = records(relation, num_nodes)
    if delta is None:
        return delta_by_rule(protected)
    delta = _check.delta(delta)
    if delta * protected >= 1:
        warnings.warn(
            f"delta = {delta:g} is not below 1/N = {1 / protected:.2g}, N being the number of"
            f" {'pairs' if relation == 'edge' else 'people'}: publishing the data of a few picked at random"
            " would satisfy it too",
            stacklevel=3,
        )
    return delta


def delta_by_rule(protected: int) -> float:
    """The largest power of ten up to N^-1.5, for N people or pairs.

    So that all N of them together have N·δ ≤ 1/√N: unlikely that anybody's data are told.

    >>> delta_by_rule(2708), delta_by_rule(10_000)
    (1e-06, 1e-06)
    """
    # One of a kind needs a δ as well; logarithms are exact enough to be corrected by one.
    bound = max(2, protected) ** -1.5
    exponent = math.floor(math.log10(bound)) + 1
    while float(f"1e{exponent}") > bound:
        exponent -= 1
    return float(f"1e{exponent}")
