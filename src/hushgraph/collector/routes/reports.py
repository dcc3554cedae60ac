"""One person's report: sent, read back, withdrawn."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.routing import BaseRoute, Route

from hushgraph.collection.wire import WireError
from hushgraph.collector import people, service, tokens
from hushgraph.collector.bodies import announced, read_body, refuse_larger
from hushgraph.collector.campaigns import Ready
from hushgraph.collector.documents import BYTES, PERSON, CampaignId, Kept, answers
from hushgraph.collector.refusals import RefusedError, unauthorized
from hushgraph.collector.sizes import SLACK
from hushgraph.collector.submissions import AGAIN, KEPT, WHY, WRONG_TOKEN, Submission

PATH = "/v1/campaigns/{id}/report"
router = APIRouter(tags=["reports"])
# In bytes. What is longer is read of people with a good token alone; and as checking it takes more than about
# a millisecond, it does not hold up the event loop.
LONG = 1 << 14
_ANSWER = {KEPT: b'{"state":"kept"}', AGAIN: b'{"state":"again"}'}


async def send(request: Request) -> Response:
    """Keeps a report, durably before it is acknowledged; the same one again is acknowledged again."""
    state = service.of(request)
    shown = state.credential(request)
    ready = await state.campaign(request.path_params["id"])
    digest = tokens.digest(ready.key, shown.person, shown.secret)
    state.count_request(digest)
    largest = min(state.settings.largest_report, ready.largest + SLACK)
    size = announced(request)
    if size is not None and size <= LONG:
        body = await read_body(request, largest, state.settings.body_seconds)
        return await _keep(request, state, ready, shown, digest, body)
    # To hold it and to read it is not for whoever comes along.
    refuse_larger(request, largest)
    await state.authenticate(request, ready, shown)
    with state.long_reports.share(digest) as share:
        body = await read_body(request, largest, state.settings.body_seconds, share)
        return await _keep(request, state, ready, shown, digest, body)


async def _keep(
    request: Request,
    state: service.Service,
    ready: Ready,
    shown: tokens.Credential,
    digest: bytes,
    body: bytes,
) -> Response:
    """Keeps what arrived. Whether the token is good is asked when it is written, or where it is refused."""
    long = len(body) > LONG
    try:
        person = await state.on_thread(lambda: ready.wire.check(body)) if long else ready.wire.check(body)
        if person != shown.person:
            raise RefusedError(403, "the report is of another person than the token")
    except (WireError, RefusedError) as error:
        await state.authenticate(request, ready, shown)
        raise error if isinstance(error, RefusedError) else RefusedError(422, str(error)) from None
    (status,) = await state.writer.submit(Submission(ready.number, (shown.person,), (digest,), (body,)))
    state.metrics.reports(status)
    if status in _ANSWER:
        return Response(_ANSWER[status], status, media_type="application/json")
    if status == WRONG_TOKEN:
        state.failed(request)
        raise unauthorized()
    raise RefusedError(status, WHY[status])


# Plain, beside FastAPI's: on the way of every report nothing is done twice.
hot = Route(PATH, send, methods=["PUT"], include_in_schema=False)


@router.get(
    PATH, dependencies=PERSON, response_class=Response,
    responses=answers(
        401, 404, 410, 429, ok={"description": "The bytes as they came.", "content": {BYTES: {}}}
    ),
)  # fmt: skip
async def read(request: Request, campaign: CampaignId) -> Response:
    """The report of whom the token is."""
    state = service.of(request)
    ready = await state.campaign(campaign)
    shown = await state.person(request, ready)
    found = await state.read(lambda connection: people.report_of(connection, ready.number, shown.person))
    if found is None:
        raise RefusedError(404, "there is no report of this person")
    if found[0] is None:
        raise RefusedError(410, WHY[410])
    return Response(found[0], media_type=BYTES)


@router.delete(PATH, dependencies=PERSON, status_code=204, responses=answers(401, 404, 429))
async def withdraw(request: Request, campaign: CampaignId) -> Response:
    """Deletes the report; nothing is taken from this person any more in this campaign."""
    state = service.of(request)
    ready = await state.campaign(campaign)
    shown = await state.person(request, ready)
    if not await state.write(lambda one: people.withdraw(one, ready.number, ready.key, shown)):
        # It was replaced meanwhile.
        state.failed(request)
        raise unauthorized()
    await request.app.state.eraser.erase()
    return Response(status_code=204)


def documented() -> list[BaseRoute]:
    """The hot route, as FastAPI describes the others."""
    described = APIRouter(tags=["reports"])
    described.put(
        PATH, dependencies=PERSON, status_code=KEPT, response_model=Kept,
        responses=answers(
            401, 403, 404, 408, 409, 410, 413, 422, 429,
            ok={"model": Kept, "description": "The same report was there."},
        ),
        openapi_extra={
            "requestBody": {
                "required": True,
                "description": "A report, as docs/wire.md has it.",
                "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}},
            }
        },
    )(_described)  # fmt: skip
    return described.routes


async def _described(campaign: CampaignId) -> None:
    """Keeps a report, durably before it is acknowledged; the same one again is acknowledged again."""
