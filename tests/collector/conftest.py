"""Collectors on SQLite and on a real PostgreSQL, which the tests start themselves."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the collector needs hushgraph[collector]")

from tests.collector import playing, postgresql

import hushgraph as hg

_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    if postgresql.binaries() is None:
        why = "there is no PostgreSQL here: apt install postgresql"
        assert os.environ.get("HUSHGRAPH_POSTGRESQL_TESTS") != "required", why
        pytest.skip(why)
    with postgresql.server() as address:
        yield address


@pytest.fixture
def new_postgresql(postgresql_server: str) -> str:
    return postgresql.new_database(postgresql_server, f"test{next(_numbers)}")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """One that nobody has used."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/collector.db"
    address: str = request.getfixturevalue("new_postgresql")
    return address


@pytest.fixture
def on_sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/collector.db"


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def admin(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[playing.Admin]:
    """Of a collector that many tests share; each has campaigns of its own."""
    if request.param == "sqlite":
        address = f"sqlite:///{tmp_path_factory.mktemp('shared')}/collector.db"
    else:
        address = postgresql.new_database(request.getfixturevalue("postgresql_server"), "shared")
    with playing.running(address) as one:
        yield one


@pytest.fixture
def asked() -> hg.Campaign:
    """A campaign that there is not yet."""
    return playing.campaign(name=f"pets {next(_numbers)}")
