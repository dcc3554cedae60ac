"""The collector as an ASGI application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import metadata
from typing import Any

from fastapi import FastAPI
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp

from hushgraph.collector import hook, logs, website
from hushgraph.collector.erasing import Eraser
from hushgraph.collector.figures import Figures
from hushgraph.collector.metrics import Metrics
from hushgraph.collector.observed import Observed
from hushgraph.collector.refusals import RefusedError, answer_refusal, refusal
from hushgraph.collector.routes import batches, campaigns, health, reports, results, tokens
from hushgraph.collector.service import Service
from hushgraph.collector.settings import Settings
from hushgraph.collector.stores import Store

EXPOSED = ("Hushgraph-State", "Retry-After")


def make_app(settings: Settings, store: Store) -> ASGIApp:
    """The application over an open store; it closes the store when it ends."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service = Service(settings, store, metrics)
        metrics.gauge(
            "waiting_reports", "Reports that wait to be written.", lambda: service.writer.waiting_reports
        )
        app.state.service, app.state.hook = service, given
        app.state.eraser, app.state.batches = Eraser(service), batches.at_a_time()
        app.state.exports = results.at_a_time()
        app.state.figures = Figures(store.engine)
        service.writer.start()
        logs.event("started", version=_version(), database=store.engine.dialect.name)
        yield
        await asyncio.to_thread(service.stop)
        logs.event("stopped")

    given = hook.load(settings.token_hook) if settings.token_hook else None
    app = FastAPI(
        title="hushgraph collector",
        version=_version(),
        description="Takes reports that were randomised on people's devices.",
        lifespan=lifespan,
        # Their pages load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.router.routes.insert(0, reports.hot)
    for group in (campaigns, tokens, reports, batches, results, health):
        # One list of routes, so that what is logged of each is known beforehand.
        app.router.routes.extend(group.router.routes)
    website.mount(app)
    app.add_exception_handler(RefusedError, answer_refusal)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(ClientDisconnect, _answer_nobody)
    app.add_exception_handler(Exception, _answer_failure)
    for kind in (OperationalError, InterfaceError, PoolTimeoutError):
        app.add_exception_handler(kind, _answer_database)
    _describe(app)
    wrapped: ASGIApp = app
    if settings.allow_origins:
        wrapped = CORSMiddleware(
            app, allow_origins=settings.allow_origins, allow_methods=("GET", "POST", "PUT", "DELETE"),
            allow_headers=("Authorization", "Content-Type"), expose_headers=EXPOSED, max_age=600,
        )  # fmt: skip
    return Observed(wrapped, metrics, _templates(app.router.routes))


def _version() -> str:
    try:
        return metadata.version("hushgraph")
    except metadata.PackageNotFoundError:
        return "unknown"


def _templates(routes: list[BaseRoute]) -> dict[Any, str]:
    """What is logged and counted of an address: the template of its route."""
    return {
        endpoint: route.path  # type: ignore[attr-defined]
        for route in routes
        if (endpoint := getattr(route, "endpoint", None) or getattr(route, "app", None)) is not None
    }


async def _answer_http(request: Request, error: Exception) -> Response:
    """What the framework refuses, in the form of everything else."""
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_allowed(request))
    words = {404: "there is nothing here", 405: "not with this method"}
    return refusal(error.status_code, words.get(error.status_code, "the request was not understood"), headers)


def _allowed(request: Request) -> list[str]:
    methods: set[str] = set()
    for route in request.app.router.routes:
        if route.matches(request.scope)[0] is not Match.NONE:
            methods |= getattr(route, "methods", None) or set()
    return sorted(methods)


async def _answer_nobody(_: Request, error: Exception) -> Response:
    """Who hung up is not there to read it; the log and the metrics are."""
    return Response(status_code=499)


async def _answer_failure(_: Request, error: Exception) -> Response:
    """It is raised again afterwards, and logged by :class:`~hushgraph.collector.observed.Observed`."""
    return refusal(500, "something went wrong here")


async def _answer_database(_: Request, error: Exception) -> Response:
    logs.problem("the database did not answer", error)
    return refusal(503, "the database does not answer", {"Retry-After": "5"})


def _describe(app: FastAPI) -> None:
    """Adds the route that FastAPI does not know to its document, and takes its own notion of errors away."""
    described = FastAPI.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            known = FastAPI(title=app.title, version=app.version, description=app.description)
            known.router.routes = [*reports.documented(), *app.router.routes]
            document = described(known)
            for path in document["paths"].values():
                for operation in path.values():
                    if "HTTPValidationError" in str(operation["responses"].get("422", "")):
                        del operation["responses"]["422"]
            for name in ("HTTPValidationError", "ValidationError"):
                document["components"]["schemas"].pop(name, None)
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
