"""What a round does in SQLite: its transaction is the only one that writes, so that looking first is safe."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from hushgraph.collector.rounds import Tokens

_TOKENS = (
    "SELECT person, digest, expires FROM tokens"
    " WHERE campaign = ? AND person IN (SELECT value FROM json_each(?))"
)
_REPORTS = (
    "SELECT person, body FROM reports WHERE campaign = ? AND person IN (SELECT value FROM json_each(?))"
)
_INSERT = "INSERT INTO reports (campaign, person, body, arrived) VALUES (?, ?, ?, ?)"
_ISSUE = (
    "INSERT INTO tokens (campaign, person, digest, expires) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (campaign, person) DO UPDATE SET digest = excluded.digest, expires = excluded.expires"
)


class SQLiteStatements:
    """See :class:`~hushgraph.collector.rounds.Statements`."""

    def state(self, connection: Connection, campaign: int) -> str | None:
        """Nobody can change it: the transaction began as one that writes."""
        found = connection.exec_driver_sql("SELECT state FROM campaigns WHERE number = ?", (campaign,))
        state: str | None = found.scalar()
        return state

    def tokens(self, connection: Connection, campaign: int, people: Sequence[int]) -> Tokens:
        """The tokens of these people."""
        found = connection.exec_driver_sql(_TOKENS, (campaign, json.dumps(people))).all()
        return {person: (digest, expires) for person, digest, expires in found}

    def insert(
        self, connection: Connection, campaign: int, rows: Mapping[int, bytes], now: int
    ) -> Mapping[int, bytes | None]:
        """Keeps the report of each person of whom there is none; returns those that were there before."""
        found = connection.exec_driver_sql(_REPORTS, (campaign, json.dumps(list(rows)))).all()
        before = {row.person: row.body for row in found}
        new = [(campaign, person, body, now) for person, body in rows.items() if person not in before]
        if new:
            connection.exec_driver_sql(_INSERT, new)
        return before

    def issue(
        self, connection: Connection, campaign: int, people: Sequence[int], digests: Sequence[bytes],
        expires: int | None,
    ) -> None:  # fmt: skip
        """Keeps new tokens in place of earlier ones."""
        rows = [(campaign, person, digest, expires) for person, digest in zip(people, digests, strict=True)]
        connection.exec_driver_sql(_ISSUE, rows)
