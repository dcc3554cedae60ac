"""What a device remembers: its answers and what they cost, in one file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hushgraph._sqlite_file import Kind, SqliteFile

State = Literal["answered", "sent", "forgotten", "withdrawn", "opted out"]
# What was withdrawn or forgotten stays so, whatever somebody slower says.
LATER: tuple[State, ...] = ("answered", "sent", "forgotten", "withdrawn", "opted out")

DEVICE = Kind(
    "device's record",
    b"hdev",
    1,
    """
    CREATE TABLE records (
        campaign TEXT PRIMARY KEY, name TEXT NOT NULL, person INTEGER, body BLOB, epsilon REAL NOT NULL,
        delta REAL NOT NULL, at TEXT NOT NULL, state TEXT NOT NULL
    );
    """,
)


@dataclass(frozen=True, slots=True)
class Record:
    """What a device answered to a campaign.

    Attributes:
        campaign_id, campaign_name: which campaign it was.
        person: the number under which the person takes part; None if they opted out.
        body: the bytes that leave the device, and no others do; None where there are none any more.
        epsilon, delta: what it costs.
        at: when it was answered, as ISO 8601 in UTC.
        state: answered (on this device alone, as far as it knows), sent, withdrawn (from the server),
            forgotten (its bytes were deleted here) or opted out.
    """

    campaign_id: str
    campaign_name: str
    person: int | None
    body: bytes | None
    epsilon: float
    delta: float
    at: str
    state: State


class Records:
    """The records in one transaction, which ends on disk."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __iter__(self) -> Iterator[Record]:
        for row in self._connection.execute("SELECT * FROM records ORDER BY rowid").fetchall():
            yield Record(*row)

    def get(self, campaign_id: str) -> Record | None:
        """The record of a campaign."""
        found = self._connection.execute(
            "SELECT * FROM records WHERE campaign = ?", (campaign_id,)
        ).fetchone()
        return None if found is None else Record(*found)

    def add(self, record: Record) -> None:
        """A record of a campaign that has none."""
        values = tuple(getattr(record, name) for name in Record.__slots__)
        self._connection.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)

    def change(self, campaign_id: str, state: State) -> None:
        """A later state; what it costs stays."""
        body = "body" if state == "sent" else "NULL"
        earlier = LATER[: LATER.index(state)]
        self._connection.execute(
            f"UPDATE records SET state = ?, body = {body}"
            f" WHERE campaign = ? AND state IN ({', '.join('?' * len(earlier))})",
            (state, campaign_id, *earlier),
        )


class DeviceFile:
    """The file, or memory where there is none."""

    def __init__(self, path: str | Path | None) -> None:
        file = None if path is None else Path(path)
        if file is None or not file.exists():
            self._file = SqliteFile.create(DEVICE, file)
        else:
            self._file = SqliteFile(DEVICE, file)

    @contextmanager
    def records(self) -> Iterator[Records]:
        """What is there, for changing: nobody else can change it meanwhile."""
        with self._file.transaction() as connection:
            yield Records(connection)
