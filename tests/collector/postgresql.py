"""A PostgreSQL server of the tests' own: in a temporary folder, on a free port of this machine alone."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"


def binaries() -> Path | None:
    """Where initdb and pg_ctl are; the newest version where there are several."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3])
    )
    return installed[-1].parent if installed else None


@contextmanager
def server(place: Path = Path("/tmp")) -> Iterator[str]:
    """Its address, without a database; it ends with the block. Its files are in a new folder at a place."""
    home = Path(tempfile.mkdtemp(prefix="hushgraph-postgresql-", dir=place))
    try:
        if os.geteuid() == 0:
            shutil.chown(home, USER, USER)
        data = home / "data"
        _run("initdb", "--pgdata", data, "--auth", "trust", "--username", USER, "--no-sync")
        port = free_port()
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={home}"
        _run("pg_ctl", "start", "--pgdata", data, "--log", home / "log", "--wait", "--options", options)
        try:
            yield f"postgresql://{USER}@127.0.0.1:{port}"
        finally:
            _run("pg_ctl", "stop", "--pgdata", data, "--wait", "--mode", "immediate")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def crash(address: str) -> None:
    """As after a power cut: every process of it ends at once, and it recovers from its journal."""
    import psycopg

    with psycopg.connect(address) as connection:
        ((data,),) = connection.execute("SHOW data_directory").fetchall()
    _run(
        "pg_ctl",
        "restart",
        "--pgdata",
        data,
        "--log",
        Path(data).parent / "log",
        "--wait",
        "--mode",
        "immediate",
    )


def _run(program: str, *words: object) -> None:
    folder = binaries()
    if folder is None:
        raise FileNotFoundError("there is no initdb: install postgresql")
    # It refuses to run as root, and its files must not lie in root's home.
    as_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"] if os.geteuid() == 0 else []
    command = [*as_user, str(folder / program), *map(str, words)]
    subprocess.run(command, check=True, cwd="/tmp", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def new_database(address: str, name: str) -> str:
    """Makes a database on a server; its address."""
    import psycopg

    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return f"{address}/{name}"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
