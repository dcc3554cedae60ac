"""Sampling m of d columns without replacement, for many people at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushgraph.mechanisms.randomness import Random, checked
from hushgraph.mechanisms.values import BLOCK


def sample_columns(rows: int, columns: int, m: int, rng: Random) -> NDArray[np.int64]:
    """For each of ``rows`` people, m distinct columns, every subset equally likely; shape (rows, m).

    Floyd's algorithm over all people at once for few columns, a shuffle for many: n·m memory in the
    first case and a block of rows at a time in the second. Which columns were drawn is no secret.
    """
    checked(rng)
    if m == columns:
        return np.broadcast_to(np.arange(columns), (rows, columns))
    if m * m > 4 * columns:
        return _by_shuffling(rows, columns, m, rng)
    chosen = np.empty((rows, m), np.int64)
    for position, last in enumerate(range(columns - m, columns)):
        drawn = rng.integers(0, last + 1, size=rows)
        taken = (chosen[:, :position] == drawn[:, np.newaxis]).any(axis=1)
        chosen[:, position] = np.where(taken, last, drawn)
    return chosen


def _by_shuffling(rows: int, columns: int, m: int, rng: Random) -> NDArray[np.int64]:
    chosen = np.empty((rows, m), np.int64)
    step = max(1, 16 * BLOCK // columns)
    for start in range(0, rows, step):
        block = chosen[start : start + step]
        block[:] = np.argsort(rng.random((len(block), columns)), axis=1)[:, :m]
    return chosen
