"""Mechanisms as plain values: how they are written in a campaign."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hushgraph.registry import FEATURES, OTHERS

INFINITE = {"number": "inf"}


def describe(mechanism: Any) -> dict[str, Any]:
    """The mechanism's name and settings, plain values; an infinite number is ``{"number": "inf"}``.

    >>> from hushgraph import Laplace
    >>> describe(Laplace(epsilon=2.0))
    {'mechanism': 'laplace', 'epsilon': 2, 'low': 0, 'high': 1, 'clip': False}
    """
    name = type(mechanism).__name__
    parameters = getattr(mechanism, "__dataclass_params__", None)
    if parameters is None or not parameters.frozen:
        raise TypeError(f"a mechanism must be a frozen dataclass to be written down, and {name} is not")
    fields = {field.name: getattr(mechanism, field.name) for field in dataclasses.fields(mechanism)}
    return {"mechanism": name_of(type(mechanism)), **{key: _plain(fields[key], name) for key in fields}}


def restore(description: Mapping[str, Any], own: Iterable[type[Any]] = ()) -> Any:
    """The inverse of :func:`describe`. Nothing is imported: mechanisms of one's own are given as ``own``."""
    known = _registered() | {name_of(kind): kind for kind in own}
    settings = dict(description)
    name = settings.pop("mechanism", None)
    if name not in known:
        raise ValueError(
            f"there is no mechanism {name!r}; known are {', '.join(known)}. Pass your own as mechanisms= or"
            " --own-mechanism"
        )
    for field, value in settings.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"the mechanism {name!r} has a number that JSON does not have")
        if value == INFINITE:
            settings[field] = math.inf
    try:
        return known[name](**settings)
    except TypeError as error:
        raise ValueError(f"the mechanism {name!r} does not take these settings: {error}") from error


def _plain(value: Any, name: str) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)  # 1 and 1.0 are one number, and so are 0 and -0
    if value == math.inf:
        return INFINITE
    finite = not isinstance(value, float) or math.isfinite(value)
    if not finite or not isinstance(value, int | float | str | None):
        raise TypeError(f"the settings of {name} must be finite numbers or text to be written down")
    return value


def is_known(mechanism: Any) -> bool:
    """Whether it is one of hushgraph's own, and not a kind of one or one that somebody registered."""
    kind = type(mechanism)
    return kind in _registered().values() and kind.__module__.startswith("hushgraph.mechanisms.")


def name_of(kind: type[Any]) -> str:
    """The name of a mechanism; of one's own it is where to import it from, such as ``"mine.noise:Mine"``."""
    names = (name for name, known in _registered().items() if kind is known)
    return next(names, f"{kind.__module__}:{kind.__qualname__}")


def _registered() -> dict[str, type[Any]]:
    return {name: entry.load() for registry in (FEATURES, OTHERS) for name, entry in registry.items()}
