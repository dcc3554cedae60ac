"""Connections that do not wait for ever: a guard around uvicorn's own handling of HTTP."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Hashable
from typing import Any, ClassVar

from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from hushgraph.collector import addresses

LARGEST_HEAD = 1 << 14
MOST_PIPELINED = 100
"""Requests that wait behind another on one connection; browsers and our devices send none ahead."""
LINES = {
    400: b"HTTP/1.1 400 Bad Request",
    408: b"HTTP/1.1 408 Request Timeout",
    431: b"HTTP/1.1 431 Request Header Fields Too Large",
    503: b"HTTP/1.1 503 Service Unavailable",
}


class TooManyError(Exception):
    """Ends the reading of what a connection has sent ahead."""


class GuardedProtocol(HttpToolsProtocol):
    """One connection. Its head must come in time and may not be long, and what is answered must be read.

    There are only so many connections at once, and only so many of one address; a proxy that is trusted may
    have as many as there are.
    """

    header_seconds: ClassVar[float] = 10.0
    message_seconds: ClassVar[float] = 60.0
    send_seconds: ClassVar[float] = 60.0
    most: ClassVar[int] = 1_000
    most_of_one: ClassVar[int] = 100
    proxies: ClassVar[_TrustedHosts] = _TrustedHosts([])
    of_each: ClassVar[Counter[Hashable]] = Counter()

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._deadline: asyncio.TimerHandle | None = None
        # While what was answered is not taken, or is still to be taken after the last word.
        self._unread: asyncio.TimerHandle | None = None
        self._counted_as: Hashable | None = None
        self._in_head = True
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        if self.client is not None:
            self.client = (addresses.plain(self.client[0]), self.client[1])
        if len(self.connections) > self.most:
            self._end(503, "there are too many connections", b"retry-after: 1\r\n")
            return
        if not self._counted():
            self._end(503, "there are too many connections from this address", b"retry-after: 1\r\n")
            return
        self._expect(self.header_seconds, 408, "the request did not arrive in time")

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._no_deadline()
        self._is_read()
        if self._counted_as is not None:
            self.of_each[self._counted_as] -= 1
            if not self.of_each[self._counted_as]:
                del self.of_each[self._counted_as]
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """What was sent is not taken: there is a time for that, too."""
        super().pause_writing()
        self._must_be_read()

    def resume_writing(self) -> None:
        """It is taken again; after the last word all of it has to be."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._is_read()

    def on_response_complete(self) -> None:
        """An answer is made. Where it was the last one, its rest is not waited for longer than for a part."""
        super().on_response_complete()
        self._leave_if_closing()

    def timeout_keep_alive_handler(self) -> None:
        """No other request came."""
        super().timeout_keep_alive_handler()
        self._leave_if_closing()

    def shutdown(self) -> None:
        """The server ends."""
        super().shutdown()
        self._leave_if_closing()

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
        if len(self.pipeline) >= MOST_PIPELINED:
            raise TooManyError
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

    def _counted(self) -> bool:
        """Whether one more may come from there."""
        host = self.client[0] if self.client else ""
        if host in self.proxies:
            return True
        place = addresses.network(host)
        if self.of_each[place] >= self.most_of_one:
            return False
        self.of_each[place] += 1
        self._counted_as = place
        return True

    def _must_be_read(self) -> None:
        if self._unread is None:
            self._unread = self.loop.call_later(self.send_seconds, self.transport.abort)

    def _is_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _leave_if_closing(self) -> None:
        """To close waits until everything was taken, and that might be never."""
        if self.transport.is_closing():
            self._must_be_read()

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
        self._must_be_read()
