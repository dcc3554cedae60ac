"""Long answers, a part at a time: made on a thread, sent as fast as the client takes them, and no slower."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from hushgraph.collector.service import Service


class Parts(Response):
    """An answer made of parts. Whoever does not take the next one in time is left, and the maker closed."""

    def __init__(
        self,
        service: Service,
        parts: Iterator[bytes],
        media_type: str,
        headers: Mapping[str, str] | None = None,
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._service, self._parts, self._on_end = service, parts, on_end
        self.status_code, self.media_type, self.background = 200, media_type, None
        self.init_headers(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends it."""
        seconds = self._service.settings.send_seconds
        try:
            # Before anything is sent: what fails here is still answered as a failure.
            part = await self._next()
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            while part is not None:
                async with asyncio.timeout(seconds):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                part = await self._next()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._on_end()
            await asyncio.shield(self._service.on_thread(self._close, "long"))

    async def _next(self) -> bytes | None:
        return await self._service.on_thread(lambda: next(self._parts, None), "long")

    def _close(self) -> None:
        if hasattr(self._parts, "close"):
            self._parts.close()
