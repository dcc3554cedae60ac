"""What one person's row says, read and withdrawn."""

from __future__ import annotations

import hmac
import time

from sqlalchemy import Connection, select, update
from sqlalchemy.dialects import postgresql, sqlite

from hushgraph.collector import tokens as written_tokens
from hushgraph.collector.schema import reports, tokens
from hushgraph.collector.submissions import NOBODY
from hushgraph.collector.tokens import Credential


def is_theirs(connection: Connection, number: int, key: bytes, credential: Credential) -> bool:
    """Whether this is the person's token of the campaign; it takes as long where they have none."""
    mine = (tokens.c.campaign == number, tokens.c.person == credential.person)
    row = connection.execute(select(tokens.c.digest, tokens.c.expires).where(*mine)).one_or_none()
    expected, expires = (NOBODY, None) if row is None else row
    shown = written_tokens.digest(key, credential.person, credential.secret)
    return hmac.compare_digest(expected, shown) and (expires is None or expires > time.time())


def report_of(connection: Connection, number: int, person: int) -> tuple[bytes | None] | None:
    """None where there is no row; a row with None where the report was withdrawn."""
    mine = (reports.c.campaign == number, reports.c.person == person)
    row = connection.execute(select(reports.c.body).where(*mine)).one_or_none()
    return None if row is None else (row.body,)


def withdraw(connection: Connection, number: int, person: int) -> None:
    """Deletes the report and keeps that nothing is to be taken any more; also where none has come yet."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    row = {"campaign": number, "person": person, "body": None, "arrived": int(time.time())}
    connection.execute(dialect.insert(reports).values(row).on_conflict_do_nothing())
    mine = (reports.c.campaign == number, reports.c.person == person)
    connection.execute(update(reports).where(*mine).values(body=None))
