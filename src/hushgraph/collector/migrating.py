"""Brings the tables of a database to this version."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

# Any number will do, as long as all collectors take the same.
LOCK = 0x68757368


def migrate(engine: Engine) -> None:
    """Applies what is missing, one process at a time; a database of a newer version is refused."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        _refuse_newer(connection, ScriptDirectory.from_config(config))
        command.upgrade(config, "head")


def _refuse_newer(connection: Connection, known: ScriptDirectory) -> None:
    revisions = {script.revision for script in known.walk_revisions()}
    for revision in MigrationContext.configure(connection).get_current_heads():
        if revision not in revisions:
            raise ValueError(
                f"the database is of a newer version (its tables are {revision}): use a newer hushgraph"
            )
