"""Connections that do not wait for ever: a guard around uvicorn's own handling of HTTP."""

from __future__ import annotations

import asyncio
import json
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 1 << 14
LINES = {
    400: b"HTTP/1.1 400 Bad Request",
    408: b"HTTP/1.1 408 Request Timeout",
    431: b"HTTP/1.1 431 Request Header Fields Too Large",
    503: b"HTTP/1.1 503 Service Unavailable",
}


class GuardedProtocol(HttpToolsProtocol):
    """One connection. Its head must come in time and may not be long; there are only so many at once."""

    header_seconds: ClassVar[float] = 10.0
    message_seconds: ClassVar[float] = 60.0
    most: ClassVar[int] = 1_000

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._deadline: asyncio.TimerHandle | None = None
        self._in_head = True
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            self._end(503, "there are too many connections", b"retry-after: 1\r\n")
            return
        self._expect(self.header_seconds, 408, "the request did not arrive in time")

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._no_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A part of a request, or several requests."""
        if self.transport.is_closing():
            return
        if self._in_head:
            self._head_bytes += len(data)
            if self._deadline is None:
                # The first bytes of another request on this connection.
                self._expect(self.header_seconds, 408, "the request did not arrive in time")
        super().data_received(data)
        if self._in_head and self._head_bytes > LARGEST_HEAD and not self.transport.is_closing():
            self._end(431, f"the head may have at most {LARGEST_HEAD:,} bytes")

    def on_headers_complete(self) -> None:
        """The head is there; the body has its own time, and this is the last resort."""
        self._in_head, self._head_bytes = False, 0
        self._expect(self.message_seconds, 408, "the request did not arrive in time")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Everything is there."""
        self._no_deadline()
        self._in_head = True
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """What cannot be read is refused in the form of everything else."""
        self._end(400, "this is not HTTP that can be read")

    def _expect(self, seconds: float, status: int, why: str) -> None:
        self._no_deadline()
        self._deadline = self.loop.call_later(seconds, self._end, status, why)

    def _no_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end(self, status: int, why: str, more: bytes = b"") -> None:
        """Says why, if nothing else is being said, and hangs up."""
        self._no_deadline()
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            text = json.dumps({"why": why}).encode()
            head = b"\r\n".join(
                (LINES[status], b"content-type: application/json", b"content-length: %d" % len(text))
            )
            self.transport.write(
                head + b"\r\ncache-control: no-store\r\n" + more + b"connection: close\r\n\r\n" + text
            )
        self.transport.close()
