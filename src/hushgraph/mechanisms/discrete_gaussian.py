"""Gaussian noise on whole numbers, drawn exactly up to 64 scales.

P(k) is proportional to exp(-k² / 2s²) for a whole scale s; what lies beyond 65 s, with a probability below
exp(-2000), is never drawn, and any δ in double precision covers that. Discrete Laplace noise of the same
scale is drawn and kept with probability exp(-(|k| - s)² / 2s²) (Canonne, Kamath & Steinke, NeurIPS 2020,
Algorithm 3): whole numbers are compared with whole numbers and nothing else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph.mechanisms.discrete_laplace import (
    by_rejection,
    discrete_laplace,
    happens_with_exp_minus,
    whole_units,
)
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
    return by_rejection(wanted, _offered, rng)


def _offered(scale: NDArray[np.int64], rng: Random) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Discrete Laplace noise, kept with probability exp(-(size - scale)² / 2 scale²)."""
    values = discrete_laplace(scale, rng)
    distance = np.abs(np.abs(values) - scale).astype(np.uint64)
    below = 2 * (scale * scale).astype(np.uint64)
    # Beyond 64 scales the square may not fit, and the probability is below exp(-2000): never kept.
    within = distance < 64 * scale.astype(np.uint64)
    whole, rest = np.divmod(np.where(within, distance, 0) ** np.uint64(2), below)
    kept = within & happens_with_exp_minus(rest, below, rng)
    # Each whole unit of the exponent is a coin of probability 1/e.
    return values, kept & (whole_units(np.where(kept, whole, np.uint64(0)), rng) == whole)
