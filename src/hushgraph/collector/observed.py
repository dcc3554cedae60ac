"""Around everything: headers that protect, one log line and metrics for each request, and the last resort."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hushgraph.collector import logs
from hushgraph.collector.metrics import METHODS, Metrics
from hushgraph.collector.refusals import refusal

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ALWAYS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
PRIVATE = (b"cache-control", b"no-store")
UNKNOWN = "(none)"


class Observed:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, metrics: Metrics, templates: Mapping[Any, str]) -> None:
        self._app, self._metrics, self._templates = app, metrics, templates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = list(message.get("headers", ()))
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append(PRIVATE)
                message = {**message, "headers": [*headers, *ALWAYS]}
            await send(message)

        try:
            await self._app(scope, receive, guarded)
        except ClientDisconnect:
            status = status or 499
        except Exception as error:
            logs.problem("a request failed", error)
            if status == 0:
                await refusal(500, "something went wrong here")(scope, receive, guarded)
        finally:
            seconds = time.perf_counter() - began
            route = self._templates.get(scope.get("endpoint"), UNKNOWN)
            method = scope["method"] if scope["method"] in METHODS else "other"
            self._metrics.request(route, method, status, seconds)
            logs.event("request", method=method, route=route, status=status, ms=round(1e3 * seconds, 2))
