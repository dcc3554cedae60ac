"""A bug to plant."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bug:
    """A line of a file under src/hushgraph, what it becomes, and the tests that should notice."""

    name: str
    file: str
    before: str
    after: str
    tests: str
