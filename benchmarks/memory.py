"""Resident memory of this process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Resident:
    """Megabytes: the peak so far, and how much of what is resident now is code of the libraries."""

    peak: float
    code: float

    def allocated_since(self, before: Resident) -> float:
        """What was allocated at the peak: libraries read their code from disk as it is first used."""
        return self.peak - before.peak - (self.code - before.code)


def resident() -> Resident:
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    peak, code = (int(status[name].split()[0]) / 1024 for name in ("VmHWM", "RssFile"))
    return Resident(peak, code)
