"""A bug to plant."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Bug:
    """A line of a file under src/hushgraph, what it becomes, and the tests that should notice.

    The tests are the narrowest that do, as pytest names them, with spaces between them.
    """

    name: str
    file: str
    before: str
    after: str
    tests: str

    @property
    def named(self) -> list[str]:
        """The tests, one by one; what stands in brackets may have spaces."""
        return re.split(r"\s+(?![^\[]*\])", self.tests)
