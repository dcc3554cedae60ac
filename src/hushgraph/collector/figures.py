"""A campaign in figures, for its dashboard; not computed more often than is needed."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine

from hushgraph.collector import campaigns, statistics
from hushgraph.collector.campaigns import Ready

AT_LEAST = 2.0
"""Seconds between two computations; if one takes long, twenty times as long as it took."""
MOST_CAMPAIGNS = 32


@dataclass(slots=True)
class _Kept:
    figures: dict[str, Any] = field(default_factory=dict)
    of: tuple[int, int] | None = None
    at: float = 0.0
    took: float = 0.0
    computing: threading.Lock = field(default_factory=threading.Lock)


class Figures:
    """The figures of each campaign, computed on the thread that asks."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._kept: dict[str, _Kept] = {}
        self._lock = threading.Lock()

    def of(self, ready: Ready) -> dict[str, Any]:
        """Its figures with the counts that belong to them, up to some seconds old; its state as it is now."""
        with self._engine.connect() as connection:
            now = campaigns.status(connection, ready.id)
        assert now is not None
        counts = (now["reports"], now["withdrawn"])
        with self._lock:
            kept = self._kept.setdefault(ready.id, _Kept())
            while len(self._kept) > MOST_CAMPAIGNS:
                self._kept.pop(next(iter(self._kept)))
        fresh = time.monotonic() - kept.at < max(AT_LEAST, 20 * kept.took)
        stale = kept.of is None or (kept.of != counts and not fresh)
        # Whoever comes while it is computed gets what was there; the first ones wait for the first.
        if stale and kept.computing.acquire(blocking=kept.of is None):
            try:
                if kept.of != counts:
                    began = time.monotonic()
                    kept.figures = statistics.compute(self._engine, ready)
                    kept.of = (kept.figures["reports"], kept.figures["withdrawn"])
                    kept.at = time.monotonic()
                    kept.took = kept.at - began
            finally:
                kept.computing.release()
        told = {name: now[name] for name in ("id", "name", "state", "num_people")}
        return told | kept.figures
