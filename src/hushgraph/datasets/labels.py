"""Class numbers for labels that users give as codes or as words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# A code as text, and the one that stands for no label unless the public list has it.
CODE = re.compile("0|[1-9][0-9]*", re.ASCII)
NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]+)?", re.ASCII)
NOBODYS = "-1"


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

    Labels are words, or codes: whole numbers, also written as text. Class k is the k-th of the public list,
    if that is given; otherwise of those that somebody has, sorted (codes by size). No error repeats a label:
    it may be private. An error calls them by their ``source``.

    >>> number_labels(["dog", "cat", None, "dog"], "labels")
    Labels(numbers=array([ 1,  0, -1,  1]), classes=('cat', 'dog'), from_data=True)
    >>> number_labels([10, 30, -1], "labels", classes=["10", "20", "30"])
    Labels(numbers=array([ 0,  2, -1]), classes=('10', '20', '30'), from_data=False)
    """
    public = None if classes is None else tuple(map(str, classes))
    texts = [None if _is_missing(value) else _text(value, source) for value in values]
    if public is None and all(text is None or NUMBER.fullmatch(text) for text in texts):
        texts = [None if text is None else _text(float(text), source) for text in texts]
    if public is None or NOBODYS not in public:
        texts = [None if text == NOBODYS else text for text in texts]
    found = {text for text in texts if text is not None}
    if public is None:
        names = tuple(in_order(found))
    elif unlisted := found - set(public):
        raise ValueError(f"{source} name {len(unlisted)} classes that are not in the list of classes")
    else:
        names = public
    place = {name: number for number, name in enumerate(names)}
    numbers = np.array([-1 if text is None else place[text] for text in texts], np.int64)
    return Labels(numbers, names, public is None)


def in_order(texts: Iterable[str]) -> list[str]:
    """Different texts, each once, sorted; by size if all are whole numbers.

    >>> in_order(["10", "9"]), in_order(["b10", "b9"])
    (['9', '10'], ['b10', 'b9'])
    """
    found = set(texts)
    return sorted(found, key=int) if all(map(CODE.fullmatch, found)) else sorted(found)


def _is_missing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float | np.floating) and bool(np.isnan(value)))


def _text(value: Any, source: str) -> str:
    """A label as text: words as they are, whole numbers of any type alike."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError(f"{source} must be whole numbers or words, not a mixture of other types")
    if not np.isfinite(value) or value != int(value):
        raise ValueError(f"{source} must be whole numbers or words, but some are fractions")
    if value < -1:
        raise ValueError(f"{source} must be codes from 0 on (-1 for none) or words")
    return str(int(value))
