"""Feature values at the door of a mechanism: dense or sparse, checked against the public range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Rows handled at a time, so that temporary arrays stay small for a million people.
BLOCK = 1 << 16


class FeatureValues:
    """The features of one person (d,) or of many (n, d), a numpy array or scipy CSR.

    A value outside [low, high] is an error unless ``clip``. The value itself is private, so the error
    names its place and not its content.
    """

    def __init__(self, values: Any, low: float, high: float, *, clip: bool) -> None:
        self.sparse = hasattr(values, "tocsr")
        self.single = np.ndim(values) == 1
        if self.sparse:
            values = (values.reshape(1, -1) if self.single else values).tocsr()
            if not values.has_canonical_format:
                values = values.copy()
                values.sum_duplicates()
        else:
            values = np.asarray(values)
            if values.dtype.kind not in "fiub":
                raise TypeError(f"features must be numbers, got an array of {values.dtype}")
        if values.ndim not in (1, 2) or 0 in values.shape:
            raise ValueError(f"features must have shape (d,) or (n, d) with n, d ≥ 1, got {values.shape}")
        self.matrix: Any = values if self.sparse else np.atleast_2d(values)
        self.rows, self.columns = map(int, self.matrix.shape)
        self.low, self.high = low, high
        self._check(clip)

    def at(self, columns: NDArray[np.int64]) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """The values at ``columns`` (n, m), a block of rows at a time."""
        for start in range(0, self.rows, BLOCK):
            rows = slice(start, min(start + BLOCK, self.rows))
            pick = self._pick_sparse if self.sparse else self._pick_dense
            yield rows, np.clip(pick(rows, columns[rows]), self.low, self.high)

    def mapped(
        self, function: Callable[[NDArray[np.float64]], NDArray[Any]], dtype: type[np.generic]
    ) -> NDArray[Any]:
        """What a function makes of all values, about a million at a time."""
        made = np.empty((self.rows, self.columns), dtype)
        step = max(1, (1 << 20) // self.columns)
        for start in range(0, self.rows, step):
            part = self.matrix[start : start + step]
            dense = part.toarray() if self.sparse else part
            made[start : start + step] = function(np.clip(dense, self.low, self.high, dtype=np.float64))
        return made[0] if self.single else made

    def _pick_dense(self, rows: slice, columns: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.take_along_axis(self.matrix[rows], columns, axis=1).astype(np.float64)

    def _pick_sparse(self, rows: slice, columns: NDArray[np.int64]) -> NDArray[np.float64]:
        indptr = self.matrix.indptr[rows.start : rows.stop + 1].astype(np.int64)
        stored = slice(indptr[0], indptr[-1])
        row_numbers = np.arange(columns.shape[0], dtype=np.int64)
        keys = np.repeat(row_numbers, np.diff(indptr)) * self.columns + self.matrix.indices[stored]
        wanted = row_numbers[:, np.newaxis] * self.columns + columns
        if keys.size == 0:
            return np.zeros(wanted.shape)
        place = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        return np.where(keys[place] == wanted, self.matrix.data[stored][place], 0.0).astype(np.float64)

    def _check(self, clip: bool) -> None:
        numbers = self.matrix.data if self.sparse else self.matrix
        if not np.isfinite(numbers).all():
            raise ValueError(f"features must be finite; {self._first(~np.isfinite(numbers))} is not")
        outside = (numbers < self.low) | (numbers > self.high)
        has_zeros = self.sparse and numbers.size < self.rows * self.columns
        if clip or not (outside.any() or (has_zeros and not self.low <= 0 <= self.high)):
            return
        where = self._first(outside) if outside.any() else "a zero that is not stored"
        raise ValueError(
            f"features must lie in [{self.low:g}, {self.high:g}]; {where} does not (private, so not shown). "
            "Give the public range as low= and high=, or clip=True to clip"
        )

    def _first(self, wrong: NDArray[np.bool_]) -> str:
        position = int(np.argmax(wrong))
        if self.sparse:
            row = int(np.searchsorted(self.matrix.indptr, position, side="right")) - 1
            return f"features[{row}, {int(self.matrix.indices[position])}]"
        row, column = divmod(position, self.columns)
        return f"features[{column}]" if self.single else f"features[{row}, {column}]"
