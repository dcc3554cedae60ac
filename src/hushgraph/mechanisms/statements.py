"""What mechanisms state about themselves."""

from __future__ import annotations

import math

from hushgraph.privacy import Guarantee


def about_features(epsilon: float, low: float, high: float, reason: str, delta: float = 0.0) -> Guarantee:
    """The guarantee of a mechanism for all features of one person."""
    if math.isinf(epsilon):
        return _nothing("features")
    return Guarantee._stated(
        protects="features",
        epsilon=epsilon,
        delta=delta,
        relation="any two feature vectors of one person",
        reason=reason,
        conditions=("each person answers once", f"the range [{low:g}, {high:g}] is public"),
    )


def about_label(epsilon: float, reason: str) -> Guarantee:
    """The guarantee of a mechanism for one person's label."""
    if math.isinf(epsilon):
        return _nothing("label")
    return Guarantee._stated(
        protects="label",
        epsilon=epsilon,
        relation="any two labels of one person",
        reason=reason,
        conditions=("each person answers once", "the list of classes is public"),
    )


def about_neighbors(epsilon: float) -> Guarantee:
    """The guarantee of randomised response on one person's neighbour list."""
    if math.isinf(epsilon):
        return _nothing("friendships")
    return Guarantee._stated(
        protects="friendships",
        epsilon=epsilon,
        relation="any two neighbour lists of one person that differ in one entry",
        reason="Warner's randomised response on every entry, Solitude Theorem 3.1",
        conditions=("each person answers once", "who takes part is public"),
    )


def _nothing(protects: str) -> Guarantee:
    return Guarantee(
        protects, math.inf, status="none", reason="ε = ∞: sent as they are, without randomisation"
    )
