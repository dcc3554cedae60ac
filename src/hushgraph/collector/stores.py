"""SQLite or PostgreSQL, opened, at this version's tables, with what each does in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from hushgraph.collector.database import check_usable, open_engine
from hushgraph.collector.migrating import migrate
from hushgraph.collector.postgresql import PostgreSQLStatements
from hushgraph.collector.rounds import Statements
from hushgraph.collector.sqlite import SQLiteStatements


class TokenStatements(Statements, Protocol):
    """What a kind of database does in a round, and how it takes many tokens."""

    def issue(
        self, connection: Connection, campaign: int, people: Sequence[int], digests: Sequence[bytes],
        expires: int | None,
    ) -> None:  # fmt: skip
        """Keeps new tokens in place of earlier ones."""


@dataclass(frozen=True, slots=True)
class Store:
    """Where everything is kept."""

    engine: Engine
    statements: TokenStatements


def open_store(address: str) -> Store:
    """Opens a database, makes or brings up its tables; an error says what is wrong, and no password."""
    engine = open_engine(address)
    try:
        check_usable(engine)
        migrate(engine)
    except DBAPIError as error:
        engine.dispose()
        # Its text may hold the address, and that a password.
        raise ConnectionError(f"the database cannot be used: {type(error.orig).__name__}") from None
    except BaseException:
        engine.dispose()
        raise
    return Store(
        engine, PostgreSQLStatements() if engine.dialect.name == "postgresql" else SQLiteStatements()
    )
