"""Many people's reports at once, from a gateway."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fastapi import APIRouter, Request

from hushgraph.collector import service
from hushgraph.collector.batches import read_batch
from hushgraph.collector.bodies import read_body
from hushgraph.collector.campaigns import Ready
from hushgraph.collector.documents import BYTES, BatchResult, CampaignId, answers, body
from hushgraph.collector.refusals import RefusedError
from hushgraph.collector.sizes import SLACK, largest_batch
from hushgraph.collector.slots import Slots
from hushgraph.collector.submissions import AGAIN, KEPT, WHY, WRONG_TOKEN, Submission

router = APIRouter(tags=["reports"])
# Worked on at a time, and those from one address.
AT_A_TIME, OF_ONE = 16, 4
MALFORMED = 422


@router.post(
    "/v1/campaigns/{id}/reports", response_model=BatchResult,
    openapi_extra=body(BYTES, "A batch, as docs/wire.md has it: each entry has its person's secret."),
    responses=answers(404, 408, 413, 422, 429),
)  # fmt: skip
async def send(request: Request, campaign: CampaignId) -> Any:
    """Keeps what is good in a batch, in one transaction; says what was not kept, and why."""
    state = service.of(request)
    state.check_failures(request)
    ready = await state.campaign(campaign)
    place = service.address(request)
    each = min(state.settings.largest_report, ready.largest + SLACK)
    largest = min(state.settings.largest_batch, largest_batch(each))
    with state.batches.share(place) as share:
        sent = await read_body(request, largest, state.settings.body_seconds, share)
        # Only once it is there: who sends slowly is in nobody's way.
        with request.app.state.batches.one(place):
            return await _take(request, state, ready, sent, each)


async def _take(
    request: Request, state: service.Service, ready: Ready, sent: bytes, each: int
) -> dict[str, Any]:
    try:
        batch = await state.on_thread(lambda: read_batch(ready.wire, ready.key, sent, each), "long")
    except ValueError as error:
        raise RefusedError(422, f"this is no batch: {error}") from None
    statuses = await state.writer.submit(Submission(ready.number, batch.people, batch.digests, batch.bodies))
    refused = [(entry, MALFORMED, why) for entry, why in batch.malformed]
    refused += [
        (entry, status, WHY[status])
        for entry, status in zip(batch.entries, statuses, strict=True)
        if status not in (KEPT, AGAIN)
    ]
    counts = Counter(statuses) + Counter({MALFORMED: len(batch.malformed)})
    for status, count in counts.items():
        state.metrics.reports(status, count)
    if counts[WRONG_TOKEN]:
        state.failed(request, 1 + counts[WRONG_TOKEN] / 100)
    named = [{"entry": entry, "status": status, "why": why} for entry, status, why in sorted(refused)]
    return {"kept": counts[KEPT], "again": counts[AGAIN], "refused": named}


def at_a_time() -> Slots:
    """How many batches are worked on at once."""
    return Slots("batches", AT_A_TIME, OF_ONE)
