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


def is_theirs(
    connection: Connection, number: int, key: bytes, credential: Credential, *, until_written: bool = False
) -> bool:
    """Whether this is the person's token of the campaign; it takes as long where they have none.

    With ``until_written`` it cannot be replaced before the transaction ends.
    """
    mine = (tokens.c.campaign == number, tokens.c.person == credential.person)
    asked = select(tokens.c.digest, tokens.c.expires).where(*mine)
    # Nothing in SQLite, where the transaction is the only one that writes.
    row = connection.execute(asked.with_for_update(read=True) if until_written else asked).one_or_none()
    expected, expires = (NOBODY, None) if row is None else row
    shown = written_tokens.digest(key, credential.person, credential.secret)
    return hmac.compare_digest(expected, shown) and (expires is None or expires > time.time())


def report_of(connection: Connection, number: int, person: int) -> tuple[bytes | None] | None:
    """None where there is no row; a row with None where the report was withdrawn."""
    mine = (reports.c.campaign == number, reports.c.person == person)
    row = connection.execute(select(reports.c.body).where(*mine)).one_or_none()
    return None if row is None else (row.body,)


def withdraw(connection: Connection, number: int, key: bytes, credential: Credential) -> bool:
    """Deletes the report and keeps that nothing is to be taken any more; also where none has come yet.

    Whether the token was still good when it was done; otherwise it was not.
    """
    if not is_theirs(connection, number, key, credential, until_written=True):
        return False
    person = credential.person
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    row = {"campaign": number, "person": person, "body": None, "arrived": int(time.time())}
    connection.execute(dialect.insert(reports).values(row).on_conflict_do_nothing())
    mine = (reports.c.campaign == number, reports.c.person == person)
    connection.execute(update(reports).where(*mine).values(body=None))
    return True
