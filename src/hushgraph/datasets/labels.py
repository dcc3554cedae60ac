"""Class numbers for labels that users give as codes or as words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Labels(NamedTuple):
    """Class numbers, -1 for none; and what :class:`~hushgraph.Graph` is told about the classes."""

    numbers: NDArray[np.int64]
    classes: tuple[str, ...]
    from_data: bool

    @property
    def of_graph(self) -> dict[str, Any]:
        """The arguments of a graph."""
        return {"labels": self.numbers, "classes": self.classes, "classes_from_data": self.from_data}


def number_labels(values: Iterable[Any], source: str, classes: Sequence[str] | None = None) -> Labels:
    """A class number for each value; -1 where there is none (``None``, NaN, an empty text, the code -1).

    Codes are whole numbers, also written as text; else labels are words. Class k is the k-th of the public
    list, if that is given; otherwise of those that somebody has, sorted. No error repeats a label: it may be
    private.

    Args:
        values: the labels in the nodes' order.
        source: what to call the labels in an error.
        classes: the public list of classes.

    >>> number_labels(["dog", "cat", None, "dog"], "labels")
    Labels(numbers=array([ 1,  0, -1,  1]), classes=('cat', 'dog'), from_data=True)
    >>> number_labels([10, 30, -1], "labels", classes=["10", "20", "30"])
    Labels(numbers=array([ 0,  2, -1]), classes=('10', '20', '30'), from_data=False)
    """
    # The closing None keeps numpy from turning numbers or words into a type of its own.
    given = np.array([*values, None], object)[:-1]
    missing = np.array([_is_missing(value) for value in given], bool)
    known = given[~missing]
    numbers = _numbers(known)
    if numbers is not None:
        codes = _codes(numbers, source)
        missing[~missing] = codes == -1
        codes = codes[codes != -1]
        found = list(map(str, np.unique(codes).tolist()))
        names = codes.astype(str)
    elif all(isinstance(value, str) for value in known):
        names = known.astype(str)
        found = np.unique(names).tolist()
    else:
        raise ValueError(f"{source} must be whole numbers or words, not a mixture of types")
    public = tuple(found if classes is None else map(str, classes))
    if unlisted := set(found) - set(public):
        raise ValueError(f"{source} name {len(unlisted)} classes that are not in the list of classes")
    place = {name: number for number, name in enumerate(public)}
    labels = np.full(given.size, -1, np.int64)
    labels[~missing] = [place[name] for name in names]
    return Labels(labels, public, classes is None)


def _is_missing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float | np.floating) and bool(np.isnan(value)))


def _numbers(known: NDArray[np.object_]) -> NDArray[np.float64] | None:
    try:
        return known.astype(np.float64)
    except (TypeError, ValueError):
        return None


def _codes(numbers: NDArray[np.float64], source: str) -> NDArray[np.int64]:
    if not (np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all()):
        raise ValueError(f"{source} must be whole numbers or words, but some are fractions")
    if numbers.size and (numbers.min() < -1 or numbers.max() >= 2**53):
        raise ValueError(f"{source} must be codes from 0 on (-1 for none) or words")
    return numbers.astype(np.int64)
