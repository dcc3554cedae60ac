"""The form of a batch: arrays of the right names, kinds and shapes, in the types that a server holds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.campaign import Campaign
from hushgraph.collection.layout import layout
from hushgraph.collection.reports import Answers


def check_form(answers: Answers, campaign: Campaign) -> Answers:
    """The answers in the types that a server holds; arrays of other names, kinds or shapes are refused."""
    question, level, rows = answers.question, answers.level, answers.people.size
    if not 0 <= level < len(campaign.levels(question)):
        raise ValueError(f"reports answer {question} at level {level}, which is not asked")
    where = f"{question} at level {level}"
    if answers.people.ndim != 1:
        raise ValueError(f"{where}: people must be a list of whole numbers")
    people = _whole(answers.people, f"{where}: people")
    parts = dict(answers.parts)
    starts = parts.pop("starts", None)
    expected = layout(campaign, question, level, sparse=starts is not None)
    ragged = None in {part.length for part in expected.values()}
    if set(parts) != set(expected) or (starts is not None) != ragged:
        raise ValueError(f"{where}: the arrays must be {', '.join(sorted(expected))}")
    held: dict[str, NDArray[Any]] = {}
    if starts is not None:
        held["starts"] = starts = _whole(starts, f"{where}: starts").astype(np.int64, copy=False)
        if starts.shape != (rows + 1,) or starts[0] != 0 or (np.diff(starts) < 0).any():
            raise ValueError(f"{where}: starts must rise from 0 over {rows + 1} entries")
    for name, part in expected.items():
        shape = (rows, *(part.length or ())) if starts is None else (int(starts[-1]),)
        if parts[name].shape != shape:
            raise ValueError(f"{where}: {name} must have shape {shape}, got {parts[name].shape}")
        if part.kind == "whole":
            held[name] = _whole(parts[name], f"{where}: {name}")
        elif parts[name].dtype.kind not in "iuf":
            raise ValueError(f"{where}: {name} must hold numbers, got {parts[name].dtype}")
        else:
            with np.errstate(over="ignore"):  # what becomes infinite is refused as such
                held[name] = parts[name].astype(np.float32, copy=False)
    return Answers(question, level, people, held)


def _whole(array: NDArray[Any], what: str) -> NDArray[Any]:
    """Whole numbers of any kind that 64 bits with a sign can hold."""
    if array.dtype.kind not in "iu":
        raise ValueError(f"{what} must hold whole numbers, got {array.dtype}")
    if array.dtype == np.uint64 and array.size and array.max() >= 1 << 63:
        raise ValueError(f"{what} must hold whole numbers below 2⁶³")
    return array.astype(np.int64) if array.dtype.kind == "u" else array
