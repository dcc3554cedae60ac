"""Mechanisms as plain values: how they are written in a campaign."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hushgraph.mechanisms.gaussian import AnalyticGaussian
from hushgraph.mechanisms.laplace import Laplace
from hushgraph.mechanisms.list_response import AdjacencyRandomizedResponse
from hushgraph.mechanisms.multi_bit import MultiBit
from hushgraph.mechanisms.one_bit import OneBit
from hushgraph.mechanisms.randomized_response import RandomizedResponse

INFINITE = {"number": "inf"}
MECHANISMS: dict[str, type[Any]] = {
    "multi-bit": MultiBit,
    "one-bit": OneBit,
    "laplace": Laplace,
    "gaussian": AnalyticGaussian,
    "randomized-response": RandomizedResponse,
    "neighbor-lists": AdjacencyRandomizedResponse,
}


def describe(mechanism: Any) -> dict[str, Any]:
    """The mechanism's name and settings, plain values; an infinite number is ``{"number": "inf"}``.

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
    known = MECHANISMS | {name_of(kind): kind for kind in own}
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
    """Whether it is one of hushgraph's own, and not a kind of one."""
    return type(mechanism) in MECHANISMS.values()


def name_of(kind: type[Any]) -> str:
    """The name of a mechanism; of one's own it is where to import it from, such as ``"mine.noise:Mine"``."""
    for name, known in MECHANISMS.items():
        if kind is known:
            return name
    return f"{kind.__module__}:{kind.__qualname__}"
