"""Reading what a client sends: not more than is allowed, and not for ever."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request

from hushgraph.collector.budgets import Share
from hushgraph.collector.refusals import RefusedError

# Whoever sends more than is taken, or too slowly, is not listened to any longer.
CLOSE = {"Connection": "close"}


async def read_body(request: Request, largest: int, seconds: float, share: Share | None = None) -> bytes:
    """The body; 413 as soon as it is, or says it is, larger than allowed; 408 if it does not come in time.

    With a ``share`` of a budget, 503 where there is no room for it.
    """
    refuse_larger(request, largest)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(seconds):
            while True:
                message = await request.receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                part = message.get("body", b"")
                size += len(part)
                if size > largest:
                    raise _too_large(largest)
                if share is not None:
                    share.take(len(part))
                parts.append(part)
                if not message.get("more_body", False):
                    return parts[0] if len(parts) == 1 else b"".join(parts)
    except TimeoutError:
        raise RefusedError(408, f"the body did not arrive within {seconds:g} s", CLOSE) from None


def announced(request: Request) -> int | None:
    """How long the body says it is, if it does."""
    said = request.headers.get("content-length")
    return int(said) if said is not None and said.isdecimal() else None


def refuse_larger(request: Request, largest: int) -> None:
    """413 for a body that says it is larger than allowed."""
    size = announced(request)
    if size is not None and size > largest:
        raise _too_large(largest)


def _too_large(largest: int) -> RefusedError:
    return RefusedError(413, f"the body may have at most {largest:,} bytes", CLOSE)
