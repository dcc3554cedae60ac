"""Answers as columns: what a mechanism returns as named arrays, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.mechanisms.estimates import Factored
from hushgraph.mechanisms.multi_bit import MultiBitReports
from hushgraph.mechanisms.neighbor_lists import NeighborLists

Columns = Mapping[str, NDArray[Any]]
"""Named arrays with a row for each person. With ``starts``, the others hold the rows one behind the other."""


def to_columns(answers: Any) -> dict[str, NDArray[Any]]:
    """What ``randomize`` returned for many people, or for one."""
    if isinstance(answers, MultiBitReports):
        return {"columns": answers.columns, "signs": answers.signs}
    if isinstance(answers, NeighborLists):
        return {"starts": answers.starts, "names": answers.names}
    if hasattr(answers, "indptr"):  # scipy's CSR: values that were not randomised
        return {
            "starts": answers.indptr.astype(np.int64),
            "columns": answers.indices.astype(np.int32),
            "values": answers.data.astype(np.float32),
        }
    values = np.asarray(answers)
    return {"values": values.astype(np.float32, copy=False) if values.dtype.kind == "f" else values}


def feature_answers(columns: Columns, dimensions: int) -> Any:
    """What ``estimate`` takes."""
    if "signs" in columns:
        return MultiBitReports(columns["columns"], columns["signs"], dimensions)
    if "starts" in columns:
        shape = (columns["starts"].size - 1, dimensions)
        return Factored(columns["starts"], columns["columns"], columns["values"], shape)
    return columns["values"]


def select(columns: Columns, rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Some rows, in the order given; a mask or their numbers."""
    if "starts" not in columns:
        return {name: array[rows] for name, array in columns.items()}
    if rows.dtype == bool:
        rows = np.flatnonzero(rows)
    starts = columns["starts"]
    lengths = np.diff(starts)[rows]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    # For each kept value: where its row starts, and how far into the row it is.
    picks = np.repeat(starts[:-1][rows] - ends[:-1], lengths) + np.arange(ends[-1])
    return {"starts": ends, **{name: columns[name][picks] for name in columns if name != "starts"}}


def row(columns: Columns, place: int) -> dict[str, NDArray[Any]]:
    """One person's."""
    if "starts" not in columns:
        return {name: array[place] for name, array in columns.items()}
    part = slice(columns["starts"][place], columns["starts"][place + 1])
    return {name: columns[name][part] for name in columns if name != "starts"}


def stack(rows: list[Columns], ragged: bool) -> dict[str, NDArray[Any]]:
    """One row for each person, as columns."""
    names = list(rows[0])
    if not ragged:
        return {name: np.stack([one[name] for one in rows]) for name in names}
    starts = np.concatenate([[0], np.cumsum([one[names[0]].size for one in rows], dtype=np.int64)])
    return {"starts": starts, **{name: np.concatenate([one[name] for one in rows]) for name in names}}


def join(several: list[Columns]) -> dict[str, NDArray[Any]]:
    """The rows of several, one behind the other."""
    if len(several) == 1:
        return dict(several[0])
    joined = {name: np.concatenate([one[name] for one in several]) for name in several[0] if name != "starts"}
    if "starts" not in several[0]:
        return joined
    lengths = np.concatenate([np.diff(one["starts"]) for one in several])
    return {"starts": np.concatenate([[0], np.cumsum(lengths)]), **joined}
