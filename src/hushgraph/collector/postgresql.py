"""What a round does in PostgreSQL, where several collectors write at once; arrays in place of many rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from hushgraph.collector.rounds import Tokens

_STATE = "SELECT state FROM campaigns WHERE number = %b FOR SHARE"
_TOKENS = (
    "SELECT person, digest, expires FROM tokens WHERE campaign = %b AND person = ANY(%b::bigint[])"
    " ORDER BY person FOR SHARE"
)
_INSERT = (
    "INSERT INTO reports (campaign, person, body, arrived)"
    " SELECT %b::integer, new.person, new.body, %b::bigint"
    " FROM unnest(%b::bigint[], %b::bytea[]) AS new (person, body)"
    " ON CONFLICT DO NOTHING RETURNING person"
)
_REPORTS = "SELECT person, body FROM reports WHERE campaign = %b AND person = ANY(%b::bigint[])"
_ISSUE = (
    "INSERT INTO tokens (campaign, person, digest, expires)"
    " SELECT %b::integer, new.person, new.digest, %b::bigint"
    " FROM unnest(%b::bigint[], %b::bytea[]) AS new (person, digest)"
    " ON CONFLICT (campaign, person) DO UPDATE SET digest = excluded.digest, expires = excluded.expires"
)


class PostgreSQLStatements:
    """See :class:`~hushgraph.collector.rounds.Statements`."""

    def state(self, connection: Connection, campaign: int) -> str | None:
        """The row is locked, so that whoever closes the campaign waits until this round is written."""
        state: str | None = connection.exec_driver_sql(_STATE, (campaign,)).scalar()
        return state

    def tokens(self, connection: Connection, campaign: int, people: Sequence[int]) -> Tokens:
        """The tokens of these people. Whoever replaces one waits until this round is written, or was first.

        They are locked in the order of persons, in which they are also issued.
        """
        found = connection.exec_driver_sql(_TOKENS, (campaign, list(people))).all()
        return {person: (digest, expires) for person, digest, expires in found}

    def insert(
        self, connection: Connection, campaign: int, rows: Mapping[int, bytes], now: int
    ) -> Mapping[int, bytes | None]:
        """Keeps the report of each person of whom there is none; returns those that were there before.

        Rows are in the order of persons, in all collectors, so that none waits for another in a circle. What
        another one inserted meanwhile is seen by the second statement.
        """
        inserted = connection.exec_driver_sql(_INSERT, (campaign, now, list(rows), list(rows.values())))
        new = set(inserted.scalars())
        there = [person for person in rows if person not in new]
        if not there:
            return {}
        found = connection.exec_driver_sql(_REPORTS, (campaign, there)).all()
        return {row.person: row.body for row in found}

    def issue(
        self, connection: Connection, campaign: int, people: Sequence[int], digests: Sequence[bytes],
        expires: int | None,
    ) -> None:  # fmt: skip
        """Keeps new tokens in place of earlier ones."""
        connection.exec_driver_sql(_ISSUE, (campaign, expires, list(people), list(digests)))
