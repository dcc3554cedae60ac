"""Whether the process lives, whether it can work, and what it counts."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from sqlalchemy import text

from hushgraph.collector import service
from hushgraph.collector.documents import answers
from hushgraph.collector.refusals import RefusedError, busy

router = APIRouter(tags=["health"])
PATIENCE = 3.0


@router.get("/healthz", response_model=dict[str, str])
async def alive() -> Response:
    """The process answers."""
    return JSONResponse({"state": "alive"})


@router.get("/readyz", response_model=dict[str, str], responses=answers())
async def ready(request: Request) -> Response:
    """The database answers, and reports are being written."""
    state = service.of(request)
    if not state.writer.alive:
        raise busy("nothing is being written", 5)
    try:
        async with asyncio.timeout(PATIENCE):
            await state.read(lambda connection: connection.execute(text("SELECT 1")).scalar())
    except RefusedError:
        raise
    except Exception:
        raise busy("the database does not answer", 5) from None
    return JSONResponse({"state": "ready"})


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request) -> Response:
    """Prometheus metrics; counts alone."""
    counted = service.of(request).metrics.text()
    return Response(counted, media_type="text/plain; version=0.0.4; charset=utf-8")
