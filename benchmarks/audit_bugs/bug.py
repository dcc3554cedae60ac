"""What a planted bug is, to an audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hushgraph.audit import Audit

ANSWERS, DEVICES, FITS = 20_000, 1_000, 500
Audited = Callable[[int], Audit]
"""An audit with a seed."""


@dataclass(frozen=True)
class Bug:
    """What is wrong with what, how it is audited with how many samples in either world, wrong and right."""

    name: str
    of: str
    where: str
    samples: int
    wrong: Audited
    right: Audited
