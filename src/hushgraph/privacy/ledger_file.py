"""Where a ledger is kept: one SQLite file, changed as a whole or not at all; or memory."""

from __future__ import annotations

from pathlib import Path

from hushgraph._sqlite_file import Kind, SqliteFile

LEDGER = Kind(
    "ledger",
    b"hush",
    1,
    """
    CREATE TABLE budget (epsilon REAL NOT NULL, delta REAL NOT NULL);
    CREATE TABLE people (id TEXT PRIMARY KEY, epsilon REAL NOT NULL, delta REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE entries (
        number INTEGER PRIMARY KEY, what TEXT NOT NULL, epsilon REAL NOT NULL, delta REAL NOT NULL,
        people INTEGER NOT NULL
    );
    """,
)


def new_ledger(path: Path | None, epsilon: float, delta: float) -> SqliteFile:
    """New tables with the limit of each person; or those that somebody else made meanwhile."""
    limits = (epsilon, delta)
    return SqliteFile.create(
        LEDGER, path, lambda connection: connection.execute("INSERT INTO budget VALUES (?, ?)", limits)
    )
