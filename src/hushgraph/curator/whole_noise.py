"""Noise on whole numbers, drawn exactly, and how much of it a budget asks for."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hushgraph.mechanisms.discrete_gaussian import LARGEST_SCALE
from hushgraph.mechanisms.discrete_laplace import by_rejection, happens_with_exp_minus, whole_units
from hushgraph.mechanisms.gaussian import SMOOTH, noise_multiplier
from hushgraph.mechanisms.randomness import Random, words

# A power of two, so that the lower bits of a word are a uniform whole number below it.
FINE = 1 << 20
# As steep as to leave no noise.
STEEPEST = 64 * FINE
ENDLESS = np.uint64(1 << 63)


def gaussian_multiplier(epsilon: float, delta: float, releases: int) -> float:
    """σ over sensitivity of each of so many Gaussian releases, which together are (ε, δ)-DP.

    One after the other they are one with √releases as little noise. What is spared of ε and δ covers that
    the noise is on whole numbers (:class:`hushgraph.AnalyticGaussian`).
    """
    spare = 1 - 2.0**-40
    return noise_multiplier(epsilon * spare, delta * spare) * math.sqrt(releases) * (1 + 2.0**-40)


def gaussian_scale(multiplier: float, sensitivity: int) -> int:
    """The scale of discrete Gaussian noise that has the privacy of a Gaussian of so many sensitivities."""
    own = multiplier * sensitivity * (1 + 2.0**-40)
    scale = math.ceil(math.sqrt(own * own + SMOOTH * SMOOTH)) + 1
    if scale > LARGEST_SCALE:
        raise ValueError("the budget is too small: the noise would not fit whole numbers of 64 bits")
    return scale


def laplace_rate(epsilon: float, sensitivity: int) -> int:
    """How steep Laplace noise may fall: by exp(-rate / FINE) a unit, so that ``sensitivity`` units cost ε."""
    rate = min(int(Fraction(epsilon) * FINE // sensitivity), STEEPEST)
    if rate == 0:
        raise ValueError(f"a budget of {epsilon:g} is too small for {sensitivity} units")
    return rate


def whole_laplace(shape: tuple[int, ...], rate: int, rng: Random) -> NDArray[np.int64]:
    """Whole numbers k with probability proportional to exp(-|k| · rate / FINE), drawn exactly.

    A geometric number of units of 1/FINE is rounded down to whole multiples of the rate, and gets a sign; a
    zero with a minus is drawn again (Canonne, Kamath & Steinke, NeurIPS 2020, Algorithm 2).

    >>> drawn = whole_laplace((100_000,), 2 * FINE, np.random.default_rng(0))
    >>> float((drawn == 0).mean().round(2))
    0.76
    """

    def offered(scales: NDArray[np.int64], source: Random) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        below, values = scales.astype(np.uint64), np.zeros_like(scales)
        part = words(source, below.size) & np.uint64(FINE - 1)
        kept = happens_with_exp_minus(part, below, source)
        units = part[kept] + below[kept] * whole_units(np.full(kept.sum(), ENDLESS), source)
        size = (units // np.uint64(rate)).astype(np.int64)
        negative = (words(source, size.size) & np.uint64(1)).astype(bool)
        values[kept] = np.where(negative, -size, size)
        kept[np.flatnonzero(kept)] = ~negative | (size > 0)
        return values, kept

    return by_rejection(np.full(shape, FINE, np.int64), offered, rng)
