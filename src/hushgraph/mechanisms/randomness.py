"""Randomness: a passed-in generator for simulations, the operating system's for devices.

Discrete mechanisms draw 64-bit words and compare them with integer thresholds, so that every
probability is an exact multiple of 2⁻⁶⁴ and the privacy loss can be bounded without rounding error.
"""

from __future__ import annotations

import math
import os
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.mechanisms.exponential import exponential_bounds

WORDS = 1 << 64


class SecureRandom:
    """The operating system's secure randomness, for devices.

    Offers what the mechanisms use of :class:`numpy.random.Generator`; it cannot be seeded.

    >>> drawn = SecureRandom().integers(1, 7, size=1000)
    >>> int(drawn.min()), int(drawn.max())
    (1, 6)
    """

    # An instance has nothing of its own that could be put in the place of its methods.
    __slots__ = ()

    def integers(self, low: int, high: int, size: Any = None, **_: Any) -> Any:
        """Whole numbers in [low, high), without bias."""
        span = high - low
        shape = (size,) if isinstance(size, int) else tuple(size or ())
        limit = WORDS - WORDS % span
        drawn = self._words(math.prod(shape))
        if limit < WORDS:
            while (rejected := np.flatnonzero(drawn >= np.uint64(limit))).size:
                drawn[rejected] = self._words(rejected.size)
        if span < WORDS:
            drawn %= np.uint64(span)
        values = drawn if span > 1 << 63 else drawn.astype(np.int64) + low
        return values.reshape(shape) if size is not None else values[0]

    def random(self, size: Any = None) -> Any:
        """Uniform doubles strictly between 0 and 1, odd multiples of 2⁻⁵³."""
        words = self.integers(0, WORDS, size=size)
        return ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52

    def laplace(self, loc: float = 0.0, scale: float = 1.0, size: Any = None) -> Any:
        """Laplace noise by inversion."""
        centered = self.random(size) - 0.5
        return loc - scale * np.sign(centered) * np.log1p(-2 * np.abs(centered))

    def normal(self, loc: float = 0.0, scale: float = 1.0, size: Any = None) -> Any:
        """Gaussian noise by the Box–Muller transform."""
        radius = np.sqrt(-2 * np.log(self.random(size)))
        return loc + scale * radius * np.cos(2 * np.pi * self.random(size))

    @staticmethod
    def _words(count: int) -> NDArray[np.uint64]:
        return np.frombuffer(os.urandom(8 * count), np.uint64).copy()


Random = np.random.Generator | SecureRandom


def checked(rng: Random) -> Random:
    """The source of randomness itself, if it is one."""
    if not isinstance(rng, Random):
        raise TypeError(f"rng must be a numpy.random.Generator or a SecureRandom, got {type(rng).__name__}")
    return rng


def words(rng: Random, size: Any) -> NDArray[np.uint64]:
    """Uniform 64-bit words."""
    checked(rng)
    drawn: NDArray[np.uint64] = rng.integers(0, WORDS, size=size, dtype=np.uint64)
    return drawn


@cache
def rarest_outcome(epsilon: float, outcomes: int) -> int:
    """How many of the 2⁶⁴ words stand for each outcome that is not the true one; at least one.

    That is the least whole number from 2⁶⁴ / (e^ε + outcomes - 1) on, computed in whole numbers until there
    is no doubt, unless the true outcome would then have fewer words than the others. So the odds between it
    and any other are at most e^ε, every device has the same number, and an ε for which the words cannot be
    as even as that is an error.
    """
    if outcomes > WORDS:
        raise ValueError(f"64 bits cannot tell {outcomes:,} outcomes apart")
    count = min(_at_least_one_of(epsilon, outcomes), WORDS // outcomes)
    # The words do not always divide evenly; e^ε is at least 1 + ε.
    if WORDS - outcomes * count > count * Fraction(epsilon) and count == WORDS // outcomes:
        raise ValueError(f"epsilon = {epsilon:g} is too small for {outcomes:,} outcomes in 64 bits")
    return count


def _at_least_one_of(epsilon: float, outcomes: int) -> int:
    """The least whole number from 2⁶⁴ / (e^ε + outcomes - 1) on."""
    if epsilon >= 64:
        return 1
    bits = 128
    while True:
        low, high = exponential_bounds(epsilon, bits)
        others = (outcomes - 1) << bits
        most, least = (-((-WORDS << bits) // (bound + others)) for bound in (low, high))
        if most == least:
            return most
        bits *= 2
