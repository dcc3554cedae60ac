"""Checks of arguments: each error names the argument, what was given and what is accepted."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray


def epsilon(value: float, name: str = "epsilon") -> float:
    """A privacy budget: above 0; infinity means that nothing is randomised."""
    number = _number(value, name)
    if math.isnan(number) or number <= 0:
        raise ValueError(f"{name} must be above 0 (math.inf for no privacy), got {value!r}")
    return number


def delta(value: float | None, name: str = "delta") -> float:
    """A failure probability strictly between 0 and 1; there is no default."""
    if value is None:
        raise ValueError(f"{name} is required: a number in (0, 1), well below 1/n for n people")
    number = _number(value, name)
    if not 0 < number < 1:
        raise ValueError(f"{name} must lie in (0, 1), got {value!r}")
    return number


def confidence(value: float) -> float:
    """How sure a bound is: strictly between 0 and 1."""
    number = _number(value, "confidence")
    if not 0 < number < 1:
        raise ValueError(f"confidence must lie in (0, 1), such as 0.95, got {value!r}")
    return number


def feature_range(low: float, high: float) -> tuple[float, float]:
    """The public range [low, high] of every feature."""
    # Adding 0 turns -0 into 0.
    low, high = _number(low, "low") + 0.0, _number(high, "high") + 0.0
    if not (math.isfinite(low) and math.isfinite(high - low) and low < high):
        raise ValueError(f"low and high must be finite with low < high, got low={low!r}, high={high!r}")
    return low, high


def count(value: int, name: str, minimum: int = 0) -> int:
    """A whole number of at least ``minimum``."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number ≥ {minimum}, got {value!r}") from None
    if isinstance(value, bool | np.bool_) or number < minimum:
        raise ValueError(f"{name} must be a whole number ≥ {minimum}, got {value!r}")
    return number


def fraction(value: float, name: str, *, open_above: bool = False) -> float:
    """A number in [0, 1], or in [0, 1) when ``open_above``."""
    number = _number(value, name)
    if not (0 <= number < 1 or (number == 1 and not open_above)):
        raise ValueError(f"{name} must lie in [0, 1{')' if open_above else ']'}, got {value!r}")
    return number


def non_negative(value: float, name: str) -> float:
    """A finite number of at least 0."""
    number = _number(value, name)
    if not (math.isfinite(number) and number >= 0):
        raise ValueError(f"{name} must be a finite number ≥ 0, got {value!r}")
    return number


def choice(value: str, name: str, accepted: Iterable[str]) -> str:
    """One of the accepted words."""
    accepted = list(accepted)
    if value not in accepted:
        raise ValueError(
            f"{name} must be one of {', '.join(map(repr, accepted))}; got {value!r}{nearest(value, accepted)}"
        )
    return value


def nearest(value: object, accepted: Iterable[str]) -> str:
    """What may have been meant, such as ``" (did you mean 'cora'?)"``; nothing when nothing is close."""
    close = get_close_matches(str(value), list(accepted), n=1, cutoff=0.4)
    return f" (did you mean {close[0]!r}?)" if close else ""


def node_ids(values: Any, name: str, num_nodes: int) -> NDArray[np.int64]:
    """A list of distinct node numbers below ``num_nodes``; or a mask of all nodes, as PyG has it."""
    ids = np.asarray(values)
    if ids.dtype == bool and ids.shape == (num_nodes,):
        ids = np.flatnonzero(ids)
    if ids.ndim != 1 or (ids.size and ids.dtype.kind not in "iu"):
        raise ValueError(f"{name} must be a list of node numbers, got shape {ids.shape} of {ids.dtype}")
    if ids.size and not (ids.min() >= 0 and ids.max() < num_nodes):
        bad = ids[(ids < 0) | (ids >= num_nodes)][0]
        raise ValueError(f"{name} names node {bad}, but nodes are numbered 0 to {num_nodes - 1}")
    if (np.diff(np.sort(ids)) == 0).any():
        raise ValueError(f"{name} names a node more than once")
    return ids.astype(np.int64)


def disjoint(train: NDArray[np.int64], val: NDArray[np.int64], num_nodes: int) -> None:
    """Refuses people who both train and validate."""
    trains = np.zeros(num_nodes, bool)
    trains[train] = True
    if trains[val].any():
        raise ValueError("train and val must not share people")


def keep(instance: Any, **checked: Any) -> None:
    """Stores checked values in a frozen dataclass, from its ``__post_init__``."""
    for field, value in checked.items():
        object.__setattr__(instance, field, value)


def _number(value: float, name: str) -> float:
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise TypeError(f"{name} must be a number, got {value!r}")
    return float(value)
