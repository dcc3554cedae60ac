"""Gaussian noise on whole numbers, drawn exactly.

P(k) is proportional to exp(-k² / 2s²) for a whole scale s. Discrete Laplace noise of the same scale is drawn
and kept with probability exp(-(|k| - s)² / 2s²) (Canonne, Kamath & Steinke, NeurIPS 2020, Algorithm 3): whole
numbers are compared with whole numbers and nothing else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph.mechanisms.discrete_laplace import BLOCK, discrete_laplace, happens_with_exp_minus
from hushgraph.mechanisms.randomness import Random

# The largest scale: the square of 64 such scales still fits a word.
LARGEST_SCALE = 1 << 25


def discrete_gaussian(scales: ArrayLike, rng: Random) -> NDArray[np.int64]:
    """A draw for each scale; variance s² where s is above a few.

    >>> drawn = discrete_gaussian(np.full(10_000, 10), np.random.default_rng(0))
    >>> drawn.dtype, round(drawn.std())
    (dtype('int64'), 10)
    """
    wanted = np.asarray(scales)
    if wanted.size and not (wanted.min() >= 1 and wanted.max() <= LARGEST_SCALE):
        raise ValueError("scales must lie in 1 … 2²⁵")
    flat = wanted.ravel().astype(np.int64)
    drawn = np.empty(flat.size, np.int64)
    for start in range(0, flat.size, BLOCK):
        open_ = np.arange(start, min(start + BLOCK, flat.size))
        while open_.size:
            scale = flat[open_]
            offered = discrete_laplace(scale, rng)
            kept = _kept(np.abs(offered), scale, rng)
            drawn[open_[kept]] = offered[kept]
            open_ = open_[~kept]
    return drawn.reshape(wanted.shape)


def _kept(size: NDArray[np.int64], scale: NDArray[np.int64], rng: Random) -> NDArray[np.bool_]:
    """True with probability exp(-(size - scale)² / 2 scale²)."""
    distance = np.abs(size - scale).astype(np.uint64)
    below = 2 * (scale * scale).astype(np.uint64)
    # Beyond 64 scales the square may not fit, and the probability is below exp(-2000): never kept.
    within = distance < 64 * scale.astype(np.uint64)
    whole, rest = np.divmod(np.where(within, distance, 0) ** np.uint64(2), below)
    kept: NDArray[np.bool_] = within & happens_with_exp_minus(rest, below, rng)
    # Each whole unit of the exponent is a coin of probability 1/e.
    going, ones = np.flatnonzero(kept & (whole > 0)), np.ones(size.size, np.uint64)
    done = np.uint64(0)
    while going.size:
        again = happens_with_exp_minus(ones[: going.size], ones[: going.size], rng)
        kept[going[~again]] = False
        done += np.uint64(1)
        going = going[again]
        going = going[whole[going] > done]
    return kept
