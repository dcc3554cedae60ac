"""How far a plan is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Steps:
    """Counts simulated campaigns; more may turn out to be needed."""

    progress: Callable[[int, int], None] | None
    done: int = 0
    total: int = 0

    def expect(self, count: int) -> None:
        """So many more are to be simulated."""
        self.total += count

    def tell(self) -> None:
        """One more is done."""
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)
