"""Memory for bodies that are arriving or being worked on: so much for all, and so much of it for one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from types import TracebackType

from hushgraph.collector.refusals import RefusedError

# What is not read to its end is not listened to any longer.
HEADERS = {"Retry-After": "1", "Connection": "close"}


class Budget:
    """Bytes in memory; those that have not arrived take none, whatever their sender announced.

    Args:
        most: how many there may be.
        of_one: how many of one place.
    """

    def __init__(self, most: int, of_one: int) -> None:
        self._most, self._of_one = most, of_one
        self._taken: Counter[Hashable] = Counter()
        self._total = 0

    def share(self, place: Hashable) -> Share:
        """What one request takes of it, until the block ends."""
        return Share(self, place)

    def take(self, place: Hashable, size: int) -> None:
        """503 where there is not so much left."""
        if self._total + size > self._most or self._taken[place] + size > self._of_one:
            raise RefusedError(503, "too many bodies are arriving at a time", HEADERS)
        self._total += size
        self._taken[place] += size

    def give_back(self, place: Hashable, size: int) -> None:
        """It is free again."""
        self._total -= size
        self._taken[place] -= size
        if not self._taken[place]:
            del self._taken[place]


class Share:
    """See :meth:`Budget.share`."""

    def __init__(self, budget: Budget, place: Hashable) -> None:
        self._budget, self._place, self._size = budget, place, 0

    def take(self, size: int) -> None:
        """So much more; 503 where there is not so much left."""
        self._budget.take(self._place, size)
        self._size += size

    def __enter__(self) -> Share:
        """Nothing is taken yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """All of it is free again."""
        self._budget.give_back(self._place, self._size)
