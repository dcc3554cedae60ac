"""After a withdrawal: what SQLite's journal still has of the old page is taken away."""

from __future__ import annotations

import asyncio

from hushgraph.collector import logs
from hushgraph.collector.database import truncated
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
