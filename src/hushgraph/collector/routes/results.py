"""What came in: everything, for learning; and in figures, for the dashboard."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from hushgraph.collector import service
from hushgraph.collector.documents import ADMIN, BYTES, CampaignId, answers
from hushgraph.collector.exporting import exported
from hushgraph.collector.slots import Slots
from hushgraph.collector.streaming import Parts

router = APIRouter(prefix="/v1/campaigns/{id}", tags=["results"])

# Each holds a connection to the database until its client has read it.
AT_A_TIME = 4


def at_a_time() -> Slots:
    """How many exports there are at once."""
    return Slots("exports", AT_A_TIME, AT_A_TIME)


@router.get(
    "/export", dependencies=ADMIN, response_class=Response,
    responses=answers(401, 404, 429, ok={"description": "See docs/wire.md.", "content": {BYTES: {}}}),
)  # fmt: skip
async def export(request: Request, campaign: CampaignId) -> Response:
    """Everything that is kept at this moment, by person; also while the campaign is open."""
    state = service.of(request)
    state.check_admin(request)
    ready = await state.campaign(campaign)
    exports: Slots = request.app.state.exports
    exports.take(None)
    name = f'attachment; filename="{campaign[:12]}.hushexp"'
    return Parts(
        state,
        exported(state.store.engine, ready),
        BYTES,
        {"Content-Disposition": name},
        on_end=lambda: exports.give_back(None),
    )


@router.get(
    "/statistics", dependencies=ADMIN, response_model=dict[str, Any], responses=answers(401, 404, 429)
)
async def statistics(request: Request, campaign: CampaignId) -> Response:
    """Counts and estimates of one moment, up to some seconds old, and what is promised; the state of now."""
    state = service.of(request)
    state.check_admin(request)
    ready = await state.campaign(campaign)
    figures = request.app.state.figures
    return JSONResponse(await state.on_thread(lambda: figures.of(ready), "figures"))
