"""Laplace noise on whole numbers, drawn exactly.

P(k) is proportional to exp(-|k| / t) for a whole scale t. The draw compares whole numbers with whole numbers
and nothing else (Canonne, Kamath & Steinke, NeurIPS 2020, Algorithms 1 and 2), so no rounding stands between
the code and the theorem. Many draws, each with its own scale, go side by side.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph.mechanisms.randomness import Random, words

# The largest scale: factors of a few hundred on top of it still fit a word.
LARGEST_SCALE = 1 << 50
# Draws handled at a time, so that temporary arrays stay small.
BLOCK = 1 << 20


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
    flat = wanted.ravel().astype(np.uint64)
    drawn = np.empty(flat.size, np.int64)
    for start in range(0, flat.size, BLOCK):
        block = slice(start, start + BLOCK)
        drawn[block] = _draw(flat[block], rng)
    return drawn.reshape(wanted.shape)


def _draw(scales: NDArray[np.uint64], rng: Random) -> NDArray[np.int64]:
    drawn = np.empty(scales.size, np.int64)
    open_ = np.arange(scales.size)
    while open_.size:
        scale = scales[open_]
        part = _below(scale, rng)
        kept = happens_with_exp_minus(part, scale, rng)
        open_before, scale, part = open_, scale[kept], part[kept]
        size = part + scale * _whole_units(scale.size, rng)
        negative = (words(rng, size.size) & np.uint64(1)).astype(bool)
        # Zero has one sign, not two.
        good = ~(negative & (size == 0))
        done = open_before[kept][good]
        signed = size[good].astype(np.int64)
        drawn[done] = np.where(negative[good], -signed, signed)
        missing = np.ones(open_before.size, bool)
        missing[np.flatnonzero(kept)[good]] = False
        open_ = open_before[missing]
    return drawn


def _whole_units(count: int, rng: Random) -> NDArray[np.uint64]:
    """How often in a row something of probability 1/e happens."""
    units = np.zeros(count, np.uint64)
    going = np.arange(count)
    ones = np.ones(count, np.uint64)
    while going.size:
        again = happens_with_exp_minus(ones[: going.size], ones[: going.size], rng)
        going = going[again]
        units[going] += np.uint64(1)
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
