"""Unbiased estimates in factored form: a sparse matrix plus a constant, never n × d."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Factored:
    """The n × d matrix ``S + offset``, with S sparse in CSR form and one number added everywhere.

    Attributes:
        indptr: row starts, shape (n + 1,).
        indices: column of each stored value.
        data: the stored values, float32.
        shape: (n, d).
        offset: the constant.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: NDArray[np.float32]
    shape: tuple[int, int]
    offset: float = 0.0

    @property
    def num_stored(self) -> int:
        """How many values are stored."""
        return int(self.indices.size)

    def toarray(self) -> NDArray[np.float32]:
        """The n × d matrix itself; for small ones."""
        dense = np.full(self.shape, self.offset, np.float32)
        rows = np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))
        np.add.at(dense, (rows, self.indices), self.data)
        return dense

    def mean(self) -> NDArray[np.float64]:
        """The average row: the estimate of each feature's mean over people, in O(stored + d)."""
        sums = np.bincount(self.indices, weights=self.data, minlength=self.shape[1])
        return sums / self.shape[0] + self.offset
