"""Tokens in bulk, as CSV, a part at a time: each part is durable before it leaves."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

from sqlalchemy import Connection

from hushgraph.collector import tokens
from hushgraph.collector.campaigns import Ready
from hushgraph.collector.stores import TokenStatements

PART = 10_000


def expiry(days: float | None) -> int | None:
    """When a token of so many days ends, in seconds since 1970."""
    return None if days is None else math.ceil(time.time() + 86_400 * days)


def issue(
    write: Callable[[Callable[[Connection], None]], object],
    statements: TokenStatements,
    ready: Ready,
    people: range,
    expires: int | None,
) -> Iterator[bytes]:
    """Lines ``person,token``; earlier tokens of these people are no longer good. Called on a thread.

    ``write`` runs something in a transaction, and returns once it is on disk.
    """
    yield b"person,token\n"
    for first in range(people.start, people.stop, PART):
        part = [tokens.issue(person) for person in range(first, min(first + PART, people.stop))]
        digests = [tokens.digest(ready.key, one.person, one.secret) for one in part]
        numbers = [one.person for one in part]

        def keep(
            connection: Connection, numbers: list[int] = numbers, digests: list[bytes] = digests
        ) -> None:
            statements.issue(connection, ready.number, numbers, digests, expires)

        write(keep)
        yield "".join(f"{one.person},{tokens.written(one)}\n" for one in part).encode()
