"""One SQLite file that is changed as a whole or not at all; or the same in memory."""

from __future__ import annotations

import os
import secrets
import sqlite3
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

PATIENCE = 60.0
"""How many seconds to wait while somebody else writes."""

# Beyond FULL, EXTRA has the end of the rollback journal on disk too: what was written stays written. Rows are
# not written anywhere else, and the pages of a million people are in memory at once. What is deleted is
# overwritten.
CAREFUL = """
PRAGMA synchronous = EXTRA; PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY; PRAGMA cache_size = -262144;
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a file is: its name in words, four bytes that mark it, its format, and its tables in SQL."""

    name: str
    mark: bytes
    format: int
    tables: str

    @property
    def application(self) -> int:
        """The mark, as SQLite keeps it."""
        return int.from_bytes(self.mark, "big")


class SqliteFile:
    """The tables of a file that exists, or in memory.

    A file is opened anew each time, so that threads and forked processes cannot share a connection. Of what
    is in memory there is one, and threads take turns.
    """

    def __init__(self, kind: Kind, path: Path | None, memory: sqlite3.Connection | None = None) -> None:
        self.kind, self.path, self._memory = kind, path, memory
        self._turn = Lock()
        if memory is not None:
            weakref.finalize(self, memory.close)

    @classmethod
    def create(
        cls, kind: Kind, path: Path | None, fill: Callable[[sqlite3.Connection], object] = lambda _: None
    ) -> SqliteFile:
        """New tables, filled; or those that somebody else made meanwhile."""
        if path is None:
            memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            _lay_out(memory, kind, fill)
            return cls(kind, None, memory)
        if path.with_name(f"{path.name}-journal").exists():
            raise ValueError(
                f"{path}-journal is of a {kind.name} that is gone: bring that back, or take both away"
            )
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        # Before SQLite makes it: nobody else needs to read it, nor its journal, which inherits this.
        os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            with (
                _told_clearly(kind, path),
                closing(sqlite3.connect(temporary, isolation_level=None)) as connection,
            ):
                _lay_out(connection, kind, fill)
            os.link(temporary, path)
        except FileExistsError:
            pass
        finally:
            temporary.unlink(missing_ok=True)
        return cls(kind, path)

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading."""
        if self._memory is not None:
            with self._turn:
                yield self._memory
            return
        assert self.path is not None
        if not self.path.exists():
            raise FileNotFoundError(f"there is no {self.kind.name} {self.path}")
        address = f"{self.path.resolve().as_uri()}?mode=rw"
        with (
            _told_clearly(self.kind, self.path),
            closing(sqlite3.connect(address, PATIENCE, isolation_level=None, uri=True)) as connection,
        ):
            self._refuse_other_files(connection)
            yield connection

    @contextmanager
    def transaction(self, *, keep: bool = True) -> Iterator[sqlite3.Connection]:
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

    def _refuse_other_files(self, connection: sqlite3.Connection) -> None:
        """Reads what the file says it is, and changes nothing."""
        ((application,),) = connection.execute("PRAGMA application_id")
        if application != self.kind.application:
            raise ValueError(f"{self.path} is not a {self.kind.name}")
        ((version,),) = connection.execute("PRAGMA user_version")
        if version != self.kind.format:
            what = f"{self.path} is a {self.kind.name} of format {version}"
            raise ValueError(f"{what}, but this version reads {self.kind.format}")


def _lay_out(
    connection: sqlite3.Connection, kind: Kind, fill: Callable[[sqlite3.Connection], object]
) -> None:
    connection.execute(f"PRAGMA application_id = {kind.application}")
    connection.execute(f"PRAGMA user_version = {kind.format}")
    connection.executescript(kind.tables)
    fill(connection)


@contextmanager
def _told_clearly(kind: Kind, path: Path) -> Iterator[None]:
    """What SQLite complains about, as errors of Python that name the file."""
    try:
        yield
    except sqlite3.Error as error:
        # Its lowest byte is the kind, the others are details.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise TimeoutError(f"{path} is busy: others have been writing for {PATIENCE:g} s") from error
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
            raise ValueError(f"{path} is not a readable {kind.name}: {error}") from error
        raise OSError(f"the {kind.name} {path} cannot be used: {error}") from error
