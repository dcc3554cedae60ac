"""Audits of a mechanism: by enumeration where that can be, and between values that are hard to hide."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

import numpy as np

from hushgraph import _check
from hushgraph.audit.enumeration import audit_exactly, enumerable
from hushgraph.audit.found import Audit, shared_confidence
from hushgraph.audit.sampling import audit_mechanism, promise
from hushgraph.audit.words import NotEnumerableError
from hushgraph.mechanisms import NeighborLists
from hushgraph.mechanisms.protocol import LabelMechanism, ListMechanism, conforms
from hushgraph.mechanisms.randomness import Random

# Features, or other people, of an enumeration: there are 3^d inputs, or 4^d pairs of lists and answers.
FEW = 2

Kind = Literal["features", "labels", "lists"]
# What says of what kind a mechanism is, of those that have not all that hushgraph's protocols ask for.
SIGNS: dict[Kind, tuple[str, ...]] = {
    "features": ("low", "high"),
    "labels": ("num_classes", "keep_probability"),
    "lists": ("flip_probability",),
}
Pair = tuple[str, Any, Any]
"""Two values that must be hard to tell apart, and what to call them."""


def audit_extremes(
    mechanism: Any,
    size: int = 3,
    *,
    kind: Kind | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    trials: int = 20_000,
    confidence: float = 0.95,
    rng: Random | None = None,
    progress: Callable[[float], None] = lambda _: None,
) -> list[Audit]:
    """Enumerates a mechanism if it draws as the kinds do that can be, and samples it between extreme values.

    All bounds together have the confidence. The arguments are those of
    :func:`~hushgraph.audit.audit_mechanism`; ``size`` and ``kind`` are those of
    :func:`extreme_pairs`.
    """
    found = []
    words: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "trials": trials, "rng": rng}
    pairs = extreme_pairs(mechanism, size, kind)
    each = shared_confidence(confidence, len(pairs))
    # An enumeration knows no δ.
    if enumerable(mechanism) and promise(mechanism, epsilon, delta)[1] == 0:
        with suppress(NotEnumerableError):
            found.append(audit_exactly(mechanism, min(size, FEW), epsilon=epsilon))
    for number, (name, one, other) in enumerate(pairs):
        found.append(audit_mechanism(mechanism, one, other, confidence=each, subject=name, **words))
        progress((number + 1) / len(pairs))
    return found


def kind_of(mechanism: Any) -> Kind | None:
    """What a mechanism is for, as its protocol or its attributes say; None where they do not."""
    if conforms(mechanism, LabelMechanism):
        return "labels"
    if conforms(mechanism, ListMechanism):
        return "lists"
    found: list[Kind] = [
        kind for kind, names in SIGNS.items() if any(hasattr(mechanism, one) for one in names)
    ]
    return found[0] if len(found) == 1 else None


def extreme_pairs(mechanism: Any, size: int = 3, kind: Kind | None = None) -> list[Pair]:
    """Pairs of values that should be the hardest to hide: ends of the range, far classes, one friend more.

    Args:
        mechanism: for features, labels or lists. Features are in a range from 0 to 1 if it names none.
        size: how many features there are, or other people, or classes of labels where the mechanism has no
            number of classes of its own.
        kind: ``"features"``, ``"labels"`` or ``"lists"``; by default what the mechanism's attributes say, and
            features where they say nothing.
    """
    _check.count(size, "size", minimum=1)
    kind = kind or kind_of(mechanism) or "features"
    if kind == "labels":
        last = (getattr(mechanism, "num_classes", max(2, size)) or 2) - 1
        far = [("first and last class", 0, last)] if last > 1 else []
        return [("first and second class", 0, 1), *far]
    if kind == "lists":
        everybody = range(1, size + 1)
        nobody, one, all_but_one, all_of_them = (
            NeighborLists.of_person(0, friends, size + 1) for friends in ([], [1], everybody[1:], everybody)
        )
        return [("nobody and one friend", nobody, one), ("all but one and all", all_but_one, all_of_them)]
    low, high = float(getattr(mechanism, "low", 0.0)), float(getattr(mechanism, "high", 1.0))
    least, most = np.full(size, low), np.full(size, high)
    by_turns = np.where(np.arange(size) % 2 == 0, high, low)
    pairs = [
        ("all low and all high", least, most),
        ("all in the middle and all high", (least + most) / 2, most),
    ]
    if size > 1:
        pairs.append(("high and low by turns, or low and high", by_turns, low + high - by_turns))
    return pairs
