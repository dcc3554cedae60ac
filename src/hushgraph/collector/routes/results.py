"""What came in: everything, for learning; and in figures, for the dashboard."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from hushgraph.collector import service
from hushgraph.collector.documents import ADMIN, BYTES, CampaignId, answers
from hushgraph.collector.exporting import exported
from hushgraph.collector.streaming import Parts

router = APIRouter(prefix="/v1/campaigns/{id}", tags=["results"])


@router.get(
    "/export", dependencies=ADMIN, response_class=Response,
    responses=answers(401, 404, 429, ok={"description": "See docs/wire.md.", "content": {BYTES: {}}}),
)  # fmt: skip
async def export(request: Request, campaign: CampaignId) -> Response:
    """Everything that is kept at this moment, by person; also while the campaign is open."""
    state = service.of(request)
    state.check_admin(request)
    ready = await state.campaign(campaign)
    name = f'attachment; filename="{campaign[:12]}.hushexp"'
    return Parts(state, exported(state.store.engine, ready), BYTES, {"Content-Disposition": name})


@router.get(
    "/statistics", dependencies=ADMIN, response_model=dict[str, Any], responses=answers(401, 404, 429)
)
async def statistics(request: Request, campaign: CampaignId) -> Response:
    """Counts, estimates with their errors, and what is promised; up to some seconds old."""
    state = service.of(request)
    state.check_admin(request)
    ready = await state.campaign(campaign)
    figures = request.app.state.figures
    return JSONResponse(await state.on_thread(lambda: figures.of(ready), long=True))
