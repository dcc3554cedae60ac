"""Mechanisms of people's own, as commands make them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from hushgraph.registry import Entry


def made(entry: Entry, epsilon: float, given: Mapping[str, Any], num_classes: int) -> Any:
    """A mechanism with the budget and what else was given, as far as its constructor takes any of it.

    The budget is ``epsilon``, or the first argument that has no default; what takes neither is made without.
    δ is what is checked, and needs not be taken.
    """
    taken = inspect.signature(entry.load()).parameters
    settings = {word: value for word, value in given.items() if value is not None}
    if unknown := [f"--{word}" for word in settings if word not in taken and word != "delta"]:
        raise ValueError(f"the mechanism {entry.name!r} takes no {' or '.join(unknown)}")
    settings = {word: value for word, value in settings.items() if word in taken}
    if "num_classes" in taken:
        settings["num_classes"] = num_classes
    if "epsilon" in taken:
        return entry.make(**settings, epsilon=epsilon)
    first = next(iter(taken.values()), None)
    if (
        first is None
        or first.kind == first.VAR_KEYWORD
        or first.default is not first.empty
        or first.name in settings
    ):
        return entry.make(**settings)
    return entry.make(epsilon, **settings)
