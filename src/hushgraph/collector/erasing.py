"""After a withdrawal: what SQLite's journal still has of the old page is taken away."""

from __future__ import annotations

import asyncio
from contextlib import closing

from sqlalchemy import Engine

from hushgraph.collector import logs
from hushgraph.collector.service import Service

AGAIN = 1.0


class Eraser:
    """Copies the journal into the database and truncates it; again later while somebody reads the old state.

    PostgreSQL keeps old rows until VACUUM has run, and its own journal for as long as it is configured to.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._again: asyncio.Task[None] | None = None

    async def erase(self) -> None:
        """Tries it now and, where that does not succeed, in the background."""
        if self._service.store.engine.dialect.name != "sqlite":
            return
        if not await self._tried() and (self._again is None or self._again.done()):
            self._again = asyncio.create_task(self._until_done())

    async def _until_done(self) -> None:
        while not await self._tried():
            await asyncio.sleep(AGAIN)

    async def _tried(self) -> bool:
        try:
            return await self._service.on_thread(lambda: truncated(self._service.store.engine))
        except Exception as error:
            logs.problem("the journal could not be truncated", error)
            return False


def truncated(engine: Engine) -> bool:
    """Whether the journal of SQLite is empty now. In no transaction, and without waiting for others."""
    raw = engine.raw_connection()
    try:
        with closing(raw.cursor()) as cursor:
            cursor.execute("PRAGMA busy_timeout = 100")
            busy, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            cursor.execute("PRAGMA busy_timeout = 30000")
            return not busy
    finally:
        raw.close()
