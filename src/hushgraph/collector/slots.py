"""So many at a time, and so many of them from one place; whoever else comes is sent away at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from hushgraph.collector.refusals import busy


class Slots:
    """What takes much memory, or a connection to the database, for a while.

    Args:
        what: what there would be too many of.
        at_once: how many there may be.
        of_one: how many of one place.
    """

    def __init__(self, what: str, at_once: int, of_one: int) -> None:
        self._what, self._at_once, self._of_one = what, at_once, of_one
        self._taken: Counter[Hashable] = Counter()

    def take(self, place: Hashable) -> None:
        """503 where there is none left."""
        if self._taken.total() >= self._at_once or self._taken[place] >= self._of_one:
            raise busy(f"too many {self._what} at a time")
        self._taken[place] += 1

    def give_back(self, place: Hashable) -> None:
        """It is free again."""
        self._taken[place] -= 1
        if not self._taken[place]:
            del self._taken[place]

    @contextmanager
    def one(self, place: Hashable) -> Iterator[None]:
        """Takes one for a while."""
        self.take(place)
        try:
            yield
        finally:
            self.give_back(place)
