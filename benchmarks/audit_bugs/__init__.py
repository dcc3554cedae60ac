"""Bugs that break a promise, as variants of what is right, and how each is audited.

Each is a few lines: a subclass, or a function in the place of another while the audit runs. None of them is
in the package; tests/planted.py has bugs of the other kind, which the tests must catch.
"""

from .bug import Bug
from .devices import DEVICE_BUGS
from .mechanisms import MECHANISMS
from .runs import RUNS

BUGS = [*MECHANISMS, *DEVICE_BUGS, *RUNS]

__all__ = ["BUGS", "Bug"]
