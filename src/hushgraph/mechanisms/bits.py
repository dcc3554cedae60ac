"""One private bit about a number: the coin that the multi-bit and 1-bit mechanisms toss."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hushgraph.mechanisms.randomness import WORDS, Random, rarest_outcome, words


def share(epsilon: float, parts: int) -> float:
    """The largest double of which ``parts`` add up to at most ``epsilon``, exactly."""
    part = epsilon / parts
    while Fraction(part) * parts > Fraction(epsilon):
        part = math.nextafter(part, 0.0)
    return part


@dataclass(frozen=True, slots=True)
class SignedBit:
    """Answers +1 with a probability that rises linearly from 1/(e^ε+1) at low to e^ε/(e^ε+1) at high.

    The probability is a count of 64-bit words, rounded so that it stays between the two ends, whose
    ratio is at most e^ε: the privacy loss is at most ε exactly, not up to rounding.
    """

    epsilon: float
    low: float
    high: float

    @property
    def scale(self) -> float:
        """What the sign is multiplied with to be unbiased around the midpoint."""
        return (self.high - self.low) / 2 / math.tanh(self.epsilon / 2)

    def words_for_plus(self, values: NDArray[np.float64]) -> NDArray[np.uint64]:
        """How many of the 2⁶⁴ words answer +1, for values inside the range."""
        least = rarest_outcome(self.epsilon, 2)
        span = WORDS - 2 * least
        # floor(span · position / 2³²) in 64-bit integers: between 0 and span, whatever the rounding.
        position = np.rint((values - self.low) / (self.high - self.low) * 2.0**32).astype(np.uint64)
        whole, rest = divmod(span, 1 << 32)
        return np.uint64(least) + position * np.uint64(whole) + (position * np.uint64(rest) >> np.uint64(32))

    def probability_of_plus(self, value: float) -> Fraction:
        """The exact probability of +1."""
        return Fraction(int(self.words_for_plus(np.array([float(value)]))[0]), WORDS)

    def toss(self, values: NDArray[np.float64], rng: Random) -> NDArray[np.int8]:
        """A sign for each value."""
        plus = words(rng, values.shape) < self.words_for_plus(values)
        return np.where(plus, np.int8(1), np.int8(-1))
