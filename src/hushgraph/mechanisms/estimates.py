"""Unbiased estimates in factored form: a sparse matrix plus a constant, never n × d."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushgraph import _renamed


@_renamed.arguments(offset="midpoint")
@dataclass(frozen=True, slots=True, eq=False)
class Factored:
    """The n × d matrix ``S + midpoint``, with S sparse in CSR form and one number added everywhere.

    The ``midpoint`` is what is said of an entry about which nothing was reported.

    Two people and three features; the first reported one of them, the second nothing:

    >>> stored = {"indices": np.array([2], np.int32), "data": np.array([4.0], np.float32)}
    >>> Factored(np.array([0, 1, 1]), **stored, shape=(2, 3), midpoint=0.5).toarray().tolist()
    [[0.5, 0.5, 4.5], [0.5, 0.5, 0.5]]
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: NDArray[np.float32]
    shape: tuple[int, int]
    midpoint: float = 0.0

    def __post_init__(self) -> None:
        people, features = self.shape
        starts = self.indptr
        if starts.shape != (people + 1,) or starts[0] != 0 or (np.diff(starts) < 0).any():
            raise ValueError(f"indptr must rise from 0 over {people + 1} entries, one more than rows")
        if not (self.indices.shape == self.data.shape == (int(starts[-1]),)):
            raise ValueError(
                f"indices and data must have {int(starts[-1])} entries, as indptr says; "
                f"got {self.indices.shape} and {self.data.shape}"
            )
        if self.indices.size and not (self.indices.min() >= 0 and self.indices.max() < features):
            raise ValueError(f"indices must lie in 0 … {features - 1}")
        if not (np.isfinite(self.data).all() and np.isfinite(self.midpoint)):
            raise ValueError("data and midpoint must be finite")

    @property
    def num_stored(self) -> int:
        """How many values are stored."""
        return int(self.indices.size)

    def toarray(self) -> NDArray[np.float32]:
        """The n × d matrix itself; for small ones."""
        dense = np.full(self.shape, self.midpoint, np.float32)
        rows = np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))
        np.add.at(dense, (rows, self.indices), self.data)
        return dense

    def mean(self) -> NDArray[np.float64]:
        """The average row: the estimate of each feature's mean over people, in O(stored + d)."""
        sums = np.bincount(self.indices, weights=self.data, minlength=self.shape[1])
        return sums / self.shape[0] + self.midpoint
