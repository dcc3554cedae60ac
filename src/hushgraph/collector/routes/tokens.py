"""Tokens of people: in bulk for an administrator, or one at a time for whom a hook vouches."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import ValidationError

from hushgraph.collector import issuing, logs, service, tokens
from hushgraph.collector.bodies import read_body
from hushgraph.collector.campaigns import Ready
from hushgraph.collector.documents import ADMIN, CampaignId, TokenGiven, TokensAsked, answers, body
from hushgraph.collector.hook import person as whole_number
from hushgraph.collector.refusals import RefusedError
from hushgraph.collector.streaming import Parts

router = APIRouter(prefix="/v1/campaigns/{id}", tags=["tokens"])
LARGEST = 1 << 12
ASKED = body("application/json", "Whose tokens.", TokensAsked.model_json_schema())
CSV = {
    "description": "A line `person,token` for each.",
    "content": {"text/csv": {"schema": {"type": "string"}}},
}


@router.post(
    "/tokens", dependencies=ADMIN, openapi_extra=ASKED, response_class=Response,
    responses=answers(401, 404, 408, 413, 422, 429, ok=CSV),
)  # fmt: skip
async def issue(request: Request, campaign: CampaignId) -> Response:
    """Makes tokens of people with numbers from `first` on; earlier tokens of these people end."""
    state = service.of(request)
    state.check_admin(request)
    ready = await state.campaign(campaign)
    sent = await read_body(request, LARGEST, state.settings.body_seconds)
    try:
        asked = TokensAsked.model_validate_json(sent)
    except ValidationError as error:
        raise RefusedError(422, _told(error)) from None
    people = range(asked.first, asked.first + asked.count)
    check_people(ready, people)
    lines = issuing.issue(
        lambda work: state.writer.run(work).result(),
        state.store.statements,
        ready,
        people,
        issuing.expiry(asked.days),
    )
    logs.event("tokens issued", campaign=campaign, count=asked.count)
    return Parts(state, lines, "text/csv")


@router.post("/token", response_model=TokenGiven, responses=answers(403, 404, 429))
async def give(request: Request, campaign: CampaignId) -> Any:
    """Gives a token to whom the server's own hook recognises; their earlier one ends."""
    state = service.of(request)
    hook = request.app.state.hook
    if hook is None:
        raise RefusedError(404, "this collector has no hook that gives tokens")
    ready = await state.campaign(campaign)
    headers = dict(request.headers)
    state.check_failures(request)
    returned = await state.on_thread(lambda: hook(campaign, headers))
    try:
        person = whole_number(returned)
    except TypeError as error:
        logs.problem("the token hook must return a whole number or None", error)
        raise RefusedError(500, "something went wrong here") from None
    if person is None:
        state.failed(request)
        raise RefusedError(403, "there is no token for you here")
    check_people(ready, range(person, person + 1))
    given = tokens.issue(person)
    shown = tokens.digest(ready.key, person, given.secret)
    expires = issuing.expiry(state.settings.token_days)
    await state.write(
        lambda connection: state.store.statements.issue(connection, ready.number, [person], [shown], expires)
    )
    return {"person": person, "token": tokens.written(given)}


def check_people(ready: Ready, people: range) -> None:
    """422 where a campaign has no such people."""
    last = (ready.campaign.num_people or 1 << 63) - 1
    if not 0 <= people.start <= people.stop - 1 <= last:
        raise RefusedError(422, f"people are numbered 0 to {last}")


def _told(error: ValidationError) -> str:
    """What is wrong with it, without what was sent."""
    known = set(TokensAsked.model_fields)
    told = [
        f"{'.'.join(str(word) for word in one['loc'] if word in known) or 'the body'}: {one['type']}"
        for one in error.errors(include_input=False, include_url=False, include_context=False)
    ]
    return f"it must be {{first, count, days}}; {'; '.join(told[:5])}"
