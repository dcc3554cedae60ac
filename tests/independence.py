"""Whether noise has anything to do with itself, by its signs alone: with an exact false-alarm rate.

If numbers are independent, and each is as likely above 0 as below, then the products of the signs of all that
are equally far apart are independent coins, and so are those of two rows or of two columns. A sum of n coins
lies beyond t·√n with probability 2·exp(-t²/2) at most, whatever n is (Hoeffding).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def shared(noise: Any, false_alarm: float) -> list[str]:
    """What some of the noise has in common with the rest; nothing of independent noise.

    Compared are all distances in the flat vector and, of a matrix, all pairs of rows and of columns.
    """
    signs = np.sign(np.asarray(noise, np.float64))
    scores = {"distances": _distances(signs.ravel())}
    if signs.ndim == 2:
        scores |= {"rows": _pairs(signs), "columns": _pairs(signs.T)}
    tests = sum(score.size for score in scores.values())
    limit = math.sqrt(2 * math.log(2 * tests / false_alarm))
    return [name for name, score in scores.items() if np.abs(score).max(initial=0) > limit]


def _distances(signs: NDArray[np.float64]) -> NDArray[np.float64]:
    size = signs.size
    power = np.abs(np.fft.rfft(signs, 2 * size)) ** 2
    sums = np.fft.irfft(power, 2 * size)[1:size]
    score: NDArray[np.float64] = sums / np.sqrt(np.arange(size - 1, 0, -1))
    return score


def _pairs(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    products = rows @ rows.T / math.sqrt(rows.shape[1])
    score: NDArray[np.float64] = products[np.triu_indices(len(rows), 1)]
    return score
