"""Tables are made and brought up by whoever comes first; what cannot be used is refused clearly."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from hushgraph.collector.database import open_engine
from hushgraph.collector.migrating import migrate
from hushgraph.collector.schema import metadata
from hushgraph.collector.stores import open_store


def test_the_migrations_make_the_tables_that_the_code_expects(database: str) -> None:
    store = open_store(database)
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    store.engine.dispose()


def test_several_at_once_make_them_once(database: str) -> None:
    failed: list[BaseException] = []
    ready = threading.Barrier(4)

    def come() -> None:
        try:
            engine = open_engine(database)
            ready.wait(10)
            migrate(engine)
            engine.dispose()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=come) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failed == []


def test_a_database_of_a_newer_version_is_refused(database: str) -> None:
    store = open_store(database)
    with store.engine.connect() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        connection.commit()
    store.engine.dispose()
    with pytest.raises(ValueError, match="newer version"):
        open_store(database)


def test_another_programs_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = other.read_bytes()
    with pytest.raises(ValueError, match="not a collector's"):
        open_store(f"sqlite:///{other}")
    with sqlite3.connect(other) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]
    assert len(other.read_bytes()) == len(before)
    (tmp_path / "text").write_text("no database at all, but long enough to look at")
    with pytest.raises((ValueError, OSError), match="database"):
        open_store(f"sqlite:///{tmp_path}/text")


def test_only_its_owner_may_read_the_file(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/collector.db")
    with store.engine.connect() as connection:
        connection.execute(text("SELECT 1"))
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    store.engine.dispose()


@pytest.mark.parametrize(
    "address",
    [
        "", "sqlite://", "sqlite:///:memory:", "mysql://user:SECRET@host/x", "SECRET", "sqlite:////no/folder/SECRET.db",
        "postgresql://user:SECRET@127.0.0.1:1/x",
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_used_is_refused_without_its_password(address: str) -> None:
    with pytest.raises((ValueError, OSError)) as refused:
        open_store(address)
    assert ":SECRET" not in str(refused.value)
