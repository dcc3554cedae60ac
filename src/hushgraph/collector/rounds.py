"""One round of group commit: everything that waited is decided about in one transaction."""

from __future__ import annotations

import hmac
import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from sqlalchemy import Connection

from hushgraph.collector.schema import OPEN
from hushgraph.collector.submissions import (
    AGAIN,
    ANOTHER_KEPT,
    KEPT,
    NOBODY,
    NOT_OPEN,
    WITHDRAWN,
    WRONG_TOKEN,
    Submission,
)

Outcomes = list[list[int]]
"""For each submission the status of each of its reports."""

Tokens = Mapping[int, tuple[bytes, int | None]]
"""For each person who has a token its digest and when it expires."""


class Statements(Protocol):
    """What a kind of database does in a round."""

    def state(self, connection: Connection, campaign: int) -> str | None:
        """The state of a campaign, which cannot change before the transaction ends."""

    def tokens(self, connection: Connection, campaign: int, people: Sequence[int]) -> Tokens:
        """The tokens of these people, which cannot be replaced before the transaction ends."""

    def insert(
        self, connection: Connection, campaign: int, rows: Mapping[int, bytes], now: int
    ) -> Mapping[int, bytes | None]:
        """Keeps the report of each person of whom there is none; returns those that were there before."""


def decide(connection: Connection, statements: Statements, waiting: Sequence[Submission]) -> Outcomes:
    """Writes what may be written. It counts once the caller has committed."""
    outcomes: Outcomes = [[0] * len(one.people) for one in waiting]
    places: dict[int, list[int]] = defaultdict(list)
    for place, one in enumerate(waiting):
        places[one.campaign].append(place)
    # In one order in all processes, so that none waits for another in a circle.
    for campaign in sorted(places):
        mine = places[campaign]
        _decide(connection, statements, campaign, [waiting[at] for at in mine], [outcomes[at] for at in mine])
    return outcomes


def _decide(
    connection: Connection,
    statements: Statements,
    campaign: int,
    waiting: Collection[Submission],
    outcomes: Collection[list[int]],
) -> None:
    is_open = statements.state(connection, campaign) == OPEN
    everybody = sorted({person for one in waiting for person in one.people})
    tokens = statements.tokens(connection, campaign, everybody)
    # After what may have been waited for.
    now = int(time.time())
    first: dict[int, bytes] = {}
    new: list[tuple[list[int], int, int, bytes]] = []
    nobody = (NOBODY, None)
    for one, outcome in zip(waiting, outcomes, strict=True):
        for at, (person, digest, body) in enumerate(zip(one.people, one.digests, one.bodies, strict=True)):
            expected, expires = tokens.get(person, nobody)
            if not hmac.compare_digest(expected, digest) or (expires is not None and expires <= now):
                outcome[at] = WRONG_TOKEN
            elif not is_open:
                outcome[at] = NOT_OPEN
            else:
                first.setdefault(person, body)
                new.append((outcome, at, person, body))
    if not new:
        return
    kept = dict(statements.insert(connection, campaign, dict(sorted(first.items())), now))
    for outcome, at, person, body in new:
        if person not in kept:
            # Whatever else this person sent in this round is compared with what was kept just now.
            kept[person] = body
            outcome[at] = KEPT
        elif kept[person] is None:
            outcome[at] = WITHDRAWN
        else:
            outcome[at] = AGAIN if kept[person] == body else ANOTHER_KEPT
