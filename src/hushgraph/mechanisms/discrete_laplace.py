"""Laplace noise on whole numbers, drawn exactly.

P(k) is proportional to exp(-|k| / t) for a whole scale t. The draw compares whole numbers with whole numbers
and nothing else (Canonne, Kamath & Steinke, NeurIPS 2020, Algorithms 1 and 2), so no rounding stands between
the code and the theorem. Many draws, each with its own scale, go side by side.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph.mechanisms.randomness import Random, words

# The largest scale: factors of a few hundred on top of it still fit a word.
LARGEST_SCALE = 1 << 50
# Draws handled at a time, so that temporary arrays stay small.
BLOCK = 1 << 20
ENDLESS = np.uint64(1 << 63)
Offered = Callable[[NDArray[np.int64], Random], tuple[NDArray[np.int64], NDArray[np.bool_]]]
"""A draw for each scale, and whether it is kept."""


def discrete_laplace(scales: ArrayLike, rng: Random) -> NDArray[np.int64]:
    """A draw for each scale; variance about 2t² where t is large.

    >>> drawn = discrete_laplace(np.full(100_000, 10), np.random.default_rng(0))
    >>> drawn.dtype, round(drawn.std())
    (dtype('int64'), 14)
    """
    wanted = np.asarray(scales)
    if wanted.dtype.kind not in "iu":
        raise TypeError(f"scales must be whole numbers, got {wanted.dtype}")
    if wanted.size and not (wanted.min() >= 1 and wanted.max() <= LARGEST_SCALE):
        raise ValueError("scales must lie in 1 … 2⁵⁰")
    return by_rejection(wanted, _offered, rng)


def by_rejection(scales: NDArray[np.int64], offered: Offered, rng: Random) -> NDArray[np.int64]:
    """A draw for each scale: what is not kept of the draws ``offered`` is drawn again."""
    flat = scales.ravel().astype(np.int64)
    drawn = np.empty(flat.size, np.int64)
    for start in range(0, flat.size, BLOCK):
        open_ = np.arange(start, min(start + BLOCK, flat.size))
        while open_.size:
            values, kept = offered(flat[open_], rng)
            drawn[open_[kept]] = values[kept]
            open_ = open_[~kept]
    return drawn.reshape(scales.shape)


def _offered(scales: NDArray[np.int64], rng: Random) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    scale, values = scales.astype(np.uint64), np.zeros_like(scales)
    part = _below(scale, rng)
    kept = happens_with_exp_minus(part, scale, rng)
    size = part[kept] + scale[kept] * whole_units(np.full(kept.sum(), ENDLESS), rng)
    negative = (words(rng, size.size) & np.uint64(1)).astype(bool)
    values[kept] = np.where(negative, -size.astype(np.int64), size.astype(np.int64))
    # Zero has one sign, not two.
    kept[np.flatnonzero(kept)] = ~negative | (size > 0)
    return values, kept


def whole_units(most: NDArray[np.uint64], rng: Random) -> NDArray[np.uint64]:
    """How often in a row something of probability 1/e happens, if it is tried ``most`` times at most."""
    units, ones = np.zeros_like(most), np.ones_like(most)
    going = np.flatnonzero(most)
    while going.size:
        going = going[happens_with_exp_minus(ones[: going.size], ones[: going.size], rng)]
        units[going] += np.uint64(1)
        going = going[units[going] < most[going]]
    return units


def happens_with_exp_minus(
    above: NDArray[np.uint64], below: NDArray[np.uint64], rng: Random
) -> NDArray[np.bool_]:
    """True with probability exp(-above/below), a fraction in [0, 1].

    Things of probability x, x/2, x/3, … are tried until one fails: the number of tries is odd with
    probability 1 - x + x²/2 - x³/6 + … = exp(-x).
    """
    happens = np.zeros(above.size, bool)
    going, tries = np.arange(above.size), 0
    while going.size:
        tries += 1
        succeeded = _below(below[going] * np.uint64(tries), rng) < above[going]
        happens[going[~succeeded]] = tries % 2 == 1
        going = going[succeeded]
    return happens


def _below(bounds: NDArray[np.uint64], rng: Random) -> NDArray[np.uint64]:
    """A uniform whole number below each bound, without bias: words beyond the last multiple are redrawn."""
    drawn = words(rng, bounds.size)
    # 2⁶⁴ mod bound, in arithmetic modulo 2⁶⁴.
    beyond = (np.uint64(0) - bounds) % bounds
    rejected = np.flatnonzero(drawn > ~beyond)
    while rejected.size:
        drawn[rejected] = words(rng, rejected.size)
        rejected = rejected[drawn[rejected] > ~beyond[rejected]]
    return drawn % bounds
