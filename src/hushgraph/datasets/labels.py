"""Class numbers for labels that users give as numbers or as words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def number_labels(values: Iterable[Any], source: str) -> NDArray[np.int64]:
    """One class number for each value; -1 where there is none (``None``, NaN, an empty text).

    Whole numbers, also written as text, are class numbers already: from 0 on, -1 for none. Words
    are sorted, and class k is the k-th of them. No error repeats a label: it may be private.

    Args:
        values: the labels in the nodes' order.
        source: what to call the labels in an error.

    >>> number_labels(["dog", "cat", None, "dog"], "labels")
    array([ 1,  0, -1,  1])
    >>> number_labels(["2", "0", "", "1"], "labels")
    array([ 2,  0, -1,  1])
    """
    # The closing None keeps numpy from turning numbers or words into a type of its own.
    given = np.array([*values, None], object)[:-1]
    missing = np.array([_is_missing(value) for value in given], bool)
    known = given[~missing]
    labels = np.full(given.size, -1, np.int64)
    if not known.size:
        return labels
    numbers = _numbers(known)
    if numbers is not None:
        labels[~missing] = _class_numbers(numbers, given.size, source)
    elif all(isinstance(value, str) for value in known):
        labels[~missing] = np.unique(known.astype(str), return_inverse=True)[1]
    else:
        raise ValueError(f"{source} must be whole numbers or words, not a mixture of types")
    return labels


def _is_missing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float | np.floating) and bool(np.isnan(value)))


def _numbers(known: NDArray[np.object_]) -> NDArray[np.float64] | None:
    try:
        return known.astype(np.float64)
    except (TypeError, ValueError):
        return None


def _class_numbers(numbers: NDArray[np.float64], num_nodes: int, source: str) -> NDArray[np.int64]:
    if not (np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all()):
        raise ValueError(f"{source} must be whole numbers or words, but some are fractions")
    if numbers.min() < -1 or numbers.max() >= max(num_nodes, 2):
        raise ValueError(
            f"{source} must be class numbers from 0 to {max(num_nodes, 2) - 1} (-1 for none) or words"
        )
    return numbers.astype(np.int64)
