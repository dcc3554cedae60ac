"""Which of very many independent trials succeed, in time proportional to the successes.

Each trial succeeds with probability p = t / 2⁶⁴ exactly. Instead of tossing every coin, the gap to the next
success is drawn: j trials fail if a uniform number lies below (1 - p)^j. Its first 64 bits and double
precision nearly always tell which gap that is; where they leave a doubt, exact integers and as many further
bits as it takes decide. So the distribution is that of the coins, without rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hushgraph.mechanisms.randomness import WORDS, Random, words

# Words drawn at a time.
BLOCK = 1 << 18
# What double precision may get wrong, with 4 bits to spare, relative to the gap and to its mean.
DOUBT = 2.0**-48


def successes(trials: int, threshold: int, rng: Random) -> NDArray[np.int64]:
    """The numbers of the trials that succeed, sorted; each with probability ``threshold`` / 2⁶⁴.

    >>> successes(5, 1 << 64, np.random.default_rng(0)).tolist()
    [0, 1, 2, 3, 4]
    """
    if threshold in (0, WORDS):
        return np.arange(trials if threshold else 0)
    return np.concatenate([np.zeros(0, np.int64), *_blocks(trials, threshold, rng)])


def _blocks(trials: int, threshold: int, rng: Random) -> Iterator[NDArray[np.int64]]:
    done = 0
    while done < trials:
        expected = (trials - done) * threshold / WORDS
        drawn = words(rng, int(min(BLOCK, expected + 4 * math.sqrt(expected) + 8)))
        ends = done + np.cumsum(_gaps(drawn, threshold, trials, rng) + 1)
        yield ends[ends <= trials] - 1
        done = int(ends[-1])


def _gaps(drawn: NDArray[np.uint64], threshold: int, longest: int, rng: Random) -> NDArray[np.int64]:
    """How many trials fail before the next success, for each word; ``longest`` stands for that and more."""
    p = threshold / WORDS
    with np.errstate(divide="ignore"):
        # The uniform number lies between the word and the next one.
        logarithms = np.log(np.multiply([drawn + 1.0, drawn.astype(np.float64)], 2.0**-64))
    between = logarithms / (math.log1p(-p) if p < 0.5 else math.log((WORDS - threshold) / WORDS))
    doubt = DOUBT * (between + 1 / p)
    least, most = np.floor(np.minimum(between + doubt * [[-1.0], [1.0]], longest))
    gaps: NDArray[np.int64] = np.maximum(least, 0).astype(np.int64)
    for place in np.flatnonzero(least != most):
        gaps[place] = min(longest, _exact_gap(int(drawn[place]), threshold, rng))
    return gaps


def _exact_gap(word: int, threshold: int, rng: Random) -> int:
    """The largest j for which a uniform number with these first 64 bits lies below (1 - p)^j."""
    uniform = _Uniform(word, rng)
    low, high = 0, 1
    while uniform.is_below_power(WORDS - threshold, high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if uniform.is_below_power(WORDS - threshold, middle):
            low = middle
        else:
            high = middle
    return low


class _Uniform:
    """A uniform number in [0, 1) of which as many bits are drawn as comparisons need."""

    def __init__(self, word: int, rng: Random) -> None:
        self.number, self.bits, self.rng = word, 64, rng

    def is_below_power(self, numerator: int, exponent: int) -> bool:
        """Whether it lies below (numerator / 2⁶⁴)^exponent."""
        while True:
            least, most = _power(numerator, exponent, self.bits + 64)
            if self.number + 1 << 64 <= least:
                return True
            if self.number << 64 >= most:
                return False
            self.number = self.number << 64 | int(words(self.rng, 1)[0])
            self.bits += 64


def _power(numerator: int, exponent: int, precision: int) -> tuple[int, int]:
    """Bounds of (numerator / 2⁶⁴)^exponent · 2^precision; equal where that is a whole number."""
    scale = precision + 64
    base = numerator << scale - 64
    least = most = 1 << scale
    squares = (base, base)
    while exponent:
        if exponent & 1:
            least, most = least * squares[0] >> scale, -(-most * squares[1] >> scale)
        squares = squares[0] ** 2 >> scale, -(-(squares[1] ** 2) >> scale)
        exponent >>= 1
    return least >> 64, -(-most >> 64)
