"""Campaigns: created, opened and closed by an administrator; their terms are public."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from hushgraph.collector import campaigns, logs, service
from hushgraph.collector.bodies import read_body
from hushgraph.collector.campaigns import accepted
from hushgraph.collector.documents import ADMIN, CampaignId, CampaignStatus, answers, body
from hushgraph.collector.refusals import RefusedError
from hushgraph.collector.schema import CLOSED, DRAFT, OPEN

router = APIRouter(prefix="/v1/campaigns", tags=["campaigns"])
TERMS = body("application/json", "The campaign's terms, as Campaign.to_json writes them.", {"type": "object"})


@router.post(
    "", dependencies=ADMIN, openapi_extra=TERMS, status_code=201, response_model=CampaignStatus,
    responses=answers(
        401, 408, 413, 422, 429, ok={"model": CampaignStatus, "description": "It is there already."}
    ),
)  # fmt: skip
async def create(request: Request, response: Response) -> Any:
    """Keeps a campaign as a draft."""
    state = service.of(request)
    state.check_admin(request)
    sent = await read_body(request, state.settings.largest_terms, state.settings.body_seconds)
    campaign = await state.on_thread(lambda: accepted(sent, state.settings.largest_report), "long")
    new = await state.write(lambda connection: campaigns.create(connection, campaign))
    if new:
        logs.event("campaign created", campaign=campaign.id)
    response.status_code = 201 if new else 200
    return await state.read(lambda connection: campaigns.status(connection, campaign.id))


@router.get("", dependencies=ADMIN, response_model=list[CampaignStatus], responses=answers(401, 429))
async def listed(request: Request) -> Any:
    """All campaigns."""
    state = service.of(request)
    state.check_admin(request)
    return await state.read(campaigns.listed)


@router.get("/{id}", dependencies=ADMIN, response_model=CampaignStatus, responses=answers(401, 404, 429))
async def status(request: Request, campaign: CampaignId) -> Any:
    """One campaign's state and counts."""
    state = service.of(request)
    state.check_admin(request)
    await state.campaign(campaign)
    return await state.read(lambda connection: campaigns.status(connection, campaign))


@router.get(
    "/{id}/terms",
    response_class=Response,
    responses=answers(
        404,
        ok={
            "description": "Exactly the bytes whose SHA-256 is the id.",
            "content": {"application/json": {"schema": {"type": "object"}}},
            "headers": {"Hushgraph-State": {"schema": {"type": "string", "enum": [DRAFT, OPEN, CLOSED]}}},
        },
    ),
)
async def terms(request: Request, campaign: CampaignId) -> Response:
    """What is asked and promised: public, for devices to check."""
    state = service.of(request)
    ready = await state.campaign(campaign)
    now = await state.read(lambda connection: campaigns.state_of(connection, campaign))
    headers = {"Hushgraph-State": str(now), "Cache-Control": "no-cache"}
    return Response(ready.terms, media_type="application/json", headers=headers)


@router.post(
    "/{id}/open", dependencies=ADMIN, response_model=CampaignStatus, responses=answers(401, 404, 409, 429)
)
async def open_(request: Request, campaign: CampaignId) -> Any:
    """Takes reports from now on."""
    return await _move(request, campaign, OPEN)


@router.post(
    "/{id}/close", dependencies=ADMIN, response_model=CampaignStatus, responses=answers(401, 404, 409, 429)
)
async def close(request: Request, campaign: CampaignId) -> Any:
    """Takes no more reports once this has returned; for good."""
    return await _move(request, campaign, CLOSED)


async def _move(request: Request, campaign: str, to: str) -> Any:
    state = service.of(request)
    state.check_admin(request)
    await state.campaign(campaign)
    await state.write(lambda connection: campaigns.move(connection, campaign, to))
    logs.event(f"campaign {to}", campaign=campaign)
    found = await state.read(lambda connection: campaigns.status(connection, campaign))
    if found is None:
        raise RefusedError(404, "there is no such campaign")
    return found
