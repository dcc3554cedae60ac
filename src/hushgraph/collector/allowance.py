"""How much somebody may ask: so much at once, and so much a second for long. Memory is bounded."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

MOST_KNOWN = 100_000


class Allowance:
    """A token bucket for each key; those unheard of for longest are forgotten first.

    Args:
        at_once: how much a bucket holds.
        a_second: how fast it fills again.
        clock: seconds, for tests.
    """

    def __init__(self, at_once: float, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once, self._a_second, self._clock = at_once, a_second, clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def has(self, key: Hashable) -> bool:
        """Whether anything is left."""
        return self._now(key) >= 1

    def take(self, key: Hashable, cost: float = 1) -> bool:
        """Takes some; whether there was enough. What is overdrawn stays at zero."""
        left = self._now(key)
        self._left[key] = (max(0.0, left - cost), self._clock())
        self._left.move_to_end(key)
        if len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        return left >= cost

    def _now(self, key: Hashable) -> float:
        left, then = self._left.get(key, (self._at_once, 0.0))
        return min(self._at_once, left + (self._clock() - then) * self._a_second)
