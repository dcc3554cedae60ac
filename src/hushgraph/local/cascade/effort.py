"""How many cascades a collection is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

# A collection of more reports is a large one.
LARGE = 100_000
PARTS = 5


@dataclass(frozen=True, slots=True)
class Effort:
    """How many cascades are learned, and of which spectra.

    Attributes:
        turns: the spectra that the averaged cascades take.
        parts: of five parts of the reports, how many are held out, one after another.
        turns_of_a_part: the spectra of the cascades for each.
    """

    turns: tuple[int, ...] = tuple(range(8))
    parts: int = PARTS
    turns_of_a_part: tuple[int, ...] = (1, 2)

    @classmethod
    def worth(cls, reports: int) -> Self:
        """Among many reports other folds change little, and a fifth of them tells how right one is."""
        return cls() if reports <= LARGE else cls((2, 3), 1, (3,))

    @property
    def cascades(self) -> int:
        """How many in all."""
        return len(self.turns) + self.parts * len(self.turns_of_a_part)
