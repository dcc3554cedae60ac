"""A mechanism as a box into which words of randomness go: its exact probabilities are read off the code
itself.

What draws one 64-bit word for an answer gives the same answer for a whole range of words. Where one range
ends and the next begins is found by search, and counted: nothing that the code says of its probabilities
is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from hushgraph.mechanisms.randomness import WORDS, SecureRandom

# Into so many parts a range of words is cut in each step of a search.
PARTS = 256
# Steps of all searches; a border between two answers takes eight.
MOST_SEARCHES = 10_000

Answers = Callable[[Sequence[int]], Sequence[Hashable]]
"""What is answered to each word."""


class NotEnumerableError(ValueError):
    """What is answered does not follow from one word for each answer."""


@dataclass
class ScriptedRandom(SecureRandom):
    """Gives the words it was told to give, and 0 wherever a smaller number is drawn."""

    script: list[int]

    def integers(self, low: int, high: int, size: Any = None, **_: Any) -> Any:
        """The script as words, or zeros."""
        if high - low < WORDS:
            return np.zeros(size, np.int64)
        try:
            return np.array(self.script, np.uint64).reshape(size)
        except ValueError:
            asked = np.prod(size, dtype=int)
            raise NotEnumerableError(
                f"the mechanism drew {asked} words where {len(self.script)} were expected"
            ) from None


def chances(answers: Answers) -> dict[Hashable, Fraction]:
    """The exact probability of each answer to a uniform word.

    A range of words that lies within 1/256 of a larger one with the same answer on both sides is not found.

    >>> chances(lambda words: [word < 2**62 for word in words])
    {True: Fraction(1, 4), False: Fraction(3, 4)}
    """
    counts: Counter[Hashable] = Counter()
    first, last = answers([0, WORDS - 1])
    if list(answers([0, WORDS - 1])) != [first, last]:
        raise NotEnumerableError("the mechanism does not answer by the words that it is given alone")
    counts[first] = 1
    # Ranges of words without the first and with the last, and what is answered to these two.
    ranges = [(0, WORDS - 1, first, last)]
    searched = 0
    while ranges:
        low, high, at_low, at_high = ranges.pop()
        whole = high - low == WORDS - 1
        if high - low == 1 or (at_low == at_high and not whole):
            counts[at_high] += high - low
            continue
        searched += 1
        if searched > MOST_SEARCHES:
            raise NotEnumerableError("the mechanism's answers are no few ranges of words")
        edges = sorted({low + (high - low) * part // PARTS for part in range(PARTS + 1)})
        told = answers(edges)
        ranges += zip(edges, edges[1:], told, told[1:], strict=False)
    return {answer: Fraction(count, WORDS) for answer, count in counts.items()}


class SignBox:
    """A mechanism that answers with signs, from which the exact probability of +1 is read."""

    def __init__(self, mechanism: Any, dimensions: int) -> None:
        self.mechanism, self.dimensions = mechanism, dimensions

    def signs(self, value: float, words: Sequence[int]) -> Any:
        """What people answer who hold ``value`` everywhere and draw these words, one person a word."""
        features = np.full((len(words), self.dimensions), value)
        sampled = (
            self.mechanism.sampled(self.dimensions) if hasattr(self.mechanism, "sampled") else self.dimensions
        )
        script = ScriptedRandom([word for word in words for _ in range(sampled)])
        reports = self.mechanism.randomize(features, script)
        signs = getattr(reports, "signs", reports)
        if not (signs == signs[:, :1]).all():
            raise ValueError("features are not all answered in the same way")
        return signs[:, 0]

    def chance_of_plus(self, value: float) -> Fraction:
        """How many of the 2⁶⁴ words answer +1."""
        found = chances(lambda words: [int(sign) for sign in self.signs(value, words)])
        return found.get(1, Fraction(0))
