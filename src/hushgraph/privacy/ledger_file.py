"""Where a ledger is kept: one SQLite file, changed as a whole or not at all; or memory."""

from __future__ import annotations

import os
import secrets
import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock

PATIENCE = 60.0
"""How many seconds to wait while somebody else writes."""

APPLICATION = int.from_bytes(b"hush", "big")
FORMAT = 1
TABLES = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE budget (epsilon REAL NOT NULL, delta REAL NOT NULL);
CREATE TABLE people (id TEXT PRIMARY KEY, epsilon REAL NOT NULL, delta REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, what TEXT NOT NULL, epsilon REAL NOT NULL, delta REAL NOT NULL,
    people INTEGER NOT NULL
);
"""
# Beyond FULL, EXTRA has the end of the rollback journal on disk too: what was spent stays spent. Ids are not
# written anywhere else, and the pages of a million people are in memory at once.
CAREFUL = "PRAGMA synchronous = EXTRA; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -262144;"


class LedgerFile:
    """The tables of a ledger in a file that exists, or in memory.

    A file is opened anew each time, so that threads and forked processes cannot share a connection. Of what
    is in memory there is one, and threads take turns.
    """

    def __init__(self, path: Path | None, memory: sqlite3.Connection | None = None) -> None:
        self.path, self._memory, self._turn = path, memory, Lock()
        if memory is not None:
            weakref.finalize(self, memory.close)

    @classmethod
    def create(cls, path: Path | None, epsilon: float, delta: float) -> LedgerFile:
        """New tables with the limit of each person; or those that somebody else made meanwhile."""
        if path is None:
            memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            _lay_out(memory, epsilon, delta)
            return cls(None, memory)
        if path.with_name(f"{path.name}-journal").exists():
            raise ValueError(
                f"{path}-journal is of a ledger that is gone: bring that back, or take both away"
            )
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        try:
            with _told_clearly(path), closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
                _lay_out(connection, epsilon, delta)
            os.link(temporary, path)
        except FileExistsError:
            pass
        finally:
            temporary.unlink(missing_ok=True)
        return cls(path)

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading."""
        if self._memory is not None:
            with self._turn:
                yield self._memory
            return
        assert self.path is not None
        if not self.path.exists():
            raise FileNotFoundError(f"there is no ledger {self.path}")
        address = f"{self.path.resolve().as_uri()}?mode=rw"
        with (
            _told_clearly(self.path),
            closing(sqlite3.connect(address, PATIENCE, isolation_level=None, uri=True)) as connection,
        ):
            _refuse_other_files(connection, self.path)
            yield connection

    @contextmanager
    def transaction(self, *, keep: bool) -> Iterator[sqlite3.Connection]:
        """A connection whose changes are all on disk afterwards; none are if it fails or is not to keep."""
        with self.connected() as connection:
            connection.executescript(CAREFUL)
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT" if keep else "ROLLBACK")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")


def _lay_out(connection: sqlite3.Connection, epsilon: float, delta: float) -> None:
    connection.executescript(TABLES)
    connection.execute("INSERT INTO budget VALUES (?, ?)", (epsilon, delta))


def _refuse_other_files(connection: sqlite3.Connection, path: Path) -> None:
    """Reads what the file says it is, and changes nothing."""
    ((application,),) = connection.execute("PRAGMA application_id")
    if application != APPLICATION:
        raise ValueError(f"{path} is not a ledger")
    ((version,),) = connection.execute("PRAGMA user_version")
    if version != FORMAT:
        raise ValueError(f"{path} is a ledger of format {version}, but this version reads {FORMAT}")


@contextmanager
def _told_clearly(path: Path) -> Iterator[None]:
    """What SQLite complains about, as errors of Python that name the file."""
    try:
        yield
    except sqlite3.Error as error:
        # Its lowest byte is the kind, the others are details.
        kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise TimeoutError(f"{path} is busy: others have been writing for {PATIENCE:g} s") from error
        if kind in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
            raise ValueError(f"{path} is not a readable ledger: {error}") from error
        raise OSError(f"the ledger {path} cannot be used: {error}") from error
