"""A connection to where reports are kept: SQLite or PostgreSQL."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

APPLICATION = int.from_bytes(b"hcol", "big")
PATIENCE = 30.0
"""How many seconds to wait while another process writes to the same SQLite file."""

# FULL has every transaction on disk before it counts; what is deleted is overwritten.
CAREFUL = (
    "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA secure_delete = ON",
    "PRAGMA foreign_keys = ON", "PRAGMA temp_store = MEMORY", "PRAGMA cache_size = -32768",
    "PRAGMA journal_size_limit = 67108864",
)  # fmt: skip


def open_engine(address: str) -> Engine:
    """A pool of connections; an error does not repeat the address, which may hold a password."""
    try:
        url = make_url(address)
    except ArgumentError:
        url = None
    if url is None or url.get_backend_name() not in ("sqlite", "postgresql"):
        raise ValueError("the database must be sqlite:///file or postgresql://user:password@host/name")
    return _sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url)


def check_usable(engine: Engine) -> None:
    """Refuses what is no collector's, and a PostgreSQL that may lose what it acknowledged."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            _claim_file(connection)
        elif connection.execute(text("SHOW fsync")).scalar_one() != "on":
            raise ValueError("PostgreSQL runs with fsync off: what it acknowledges may be lost")


def _sqlite(url: URL) -> Engine:
    if url.database in (None, "", ":memory:") or str(url.database).startswith("file:"):
        raise ValueError("the database must be a file: sqlite:///file")
    path = Path(str(url.database))
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} for the database")
    # Before SQLite makes it: nobody else on the machine needs to read it, nor its -wal, which inherits this.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    engine = create_engine(
        url,
        hide_parameters=True,
        pool_size=16,
        max_overflow=0,
        connect_args={"isolation_level": None, "timeout": PATIENCE, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def be_careful(connection: Any, _: Any) -> None:
        for pragma in CAREFUL:
            connection.execute(pragma).close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(url: URL) -> Engine:
    careful = "-c synchronous_commit=on -c timezone=UTC -c client_min_messages=warning"
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        hide_parameters=True,
        pool_size=16,
        max_overflow=0,
        pool_timeout=10,
        # A connection that the server closed meanwhile is noticed when it is taken from the pool.
        pool_pre_ping=True,
        connect_args={"options": careful, "connect_timeout": 10, "application_name": "hushgraph"},
    )


def _claim_file(connection: Connection) -> None:
    application = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
    if application == APPLICATION:
        return
    if application or connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one():
        raise ValueError("the database file is not a collector's")
    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
    connection.commit()
