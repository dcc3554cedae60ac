"""Eight distances between what a model says of two people (He et al. 2021)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]

TINY = 1e-12


def _cosine(one: Rows, other: Rows) -> Rows:
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    distance: Rows = 1 - (one * other).sum(1) / np.maximum(lengths, TINY)
    return distance


def _correlation(one: Rows, other: Rows) -> Rows:
    return _cosine(one - one.mean(1, keepdims=True), other - other.mean(1, keepdims=True))


def _bray_curtis(one: Rows, other: Rows) -> Rows:
    distance: Rows = abs(one - other).sum(1) / np.maximum(abs(one + other).sum(1), TINY)
    return distance


def _canberra(one: Rows, other: Rows) -> Rows:
    distance: Rows = (abs(one - other) / np.maximum(abs(one) + abs(other), TINY)).sum(1)
    return distance


DISTANCES: dict[str, Callable[[Rows, Rows], Rows]] = {
    "cosine": _cosine,
    "euclidean": lambda one, other: np.linalg.norm(one - other, axis=1),
    "correlation": _correlation,
    "chebyshev": lambda one, other: abs(one - other).max(1),
    "bray-curtis": _bray_curtis,
    "canberra": _canberra,
    "manhattan": lambda one, other: abs(one - other).sum(1),
    "squared euclidean": lambda one, other: ((one - other) ** 2).sum(1),
}
