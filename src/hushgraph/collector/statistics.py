"""What a dashboard shows of a campaign, computed from its reports in one pass and in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, func, select, text

from hushgraph.collection import Campaign
from hushgraph.collection.campaign import QUESTIONS, Question
from hushgraph.collection.wire import SIMULATED
from hushgraph.collection.wire_batch import decode_all
from hushgraph.collector.campaigns import Ready, counts
from hushgraph.collector.schema import reports
from hushgraph.collector.sums import Estimated, Sums

POINTS = 100
SHOWN = 50
ROWS, BYTES = 20_000, 1 << 19


def compute(engine: Engine, ready: Ready) -> dict[str, Any]:
    """Everything but the state, which changes without it; all of one moment."""
    campaign = ready.campaign
    sums = Sums(campaign)
    simulated = 0
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
        kept, withdrawn = counts(connection, ready.number)
        over_time = _over_time(connection, ready.number)
        for chunk in _chunks(connection, ready.number):
            # What came from a seed and what did not are decoded apart: each is believed about itself.
            seeded = [body for body in chunk if body[0] & SIMULATED]
            simulated += len(seeded)
            for part in (seeded, [body for body in chunk if not body[0] & SIMULATED]):
                if part:
                    sums.add(decode_all(campaign, part)[0])
    classes, features = sums.classes(), sums.features()
    answered = {question: sums.answered(question) for question in QUESTIONS}
    names = [str(column) for column in range(campaign.num_features)]
    shown = None if features is None else (features[0][:SHOWN], features[1][:SHOWN])
    return {
        "reports": kept,
        "withdrawn": withdrawn,
        "simulated": simulated,
        "over_time": over_time,
        "classes": _named(campaign.classes, "share", classes),
        "labels": answered["label"],
        "num_features": campaign.num_features,
        "features": _named(campaign.feature_names or names, "mean", shown),
        "features_from": answered["features"],
        "lists_from": answered["lists"],
        "mean_friends": sums.mean_friends(),
        "expected_error": _expected(campaign, classes, features, answered),
        "guarantee": str(campaign.guarantee),
        "levels": {question: _levels(sums, campaign, question) for question in campaign.asked},
    }


def _named(names: Sequence[str], what: str, estimated: Estimated | None) -> list[dict[str, Any]]:
    if estimated is None:
        return []
    values, half_widths = estimated
    rows = zip(names, values.tolist(), half_widths.tolist(), strict=False)
    return [{"name": name, what: value, "half_width": half_width} for name, value, half_width in rows]


def _levels(sums: Sums, campaign: Campaign, question: Question) -> list[dict[str, Any]]:
    """JSON has no infinity: an ε of None is no privacy."""
    return [
        {
            "epsilon": mechanism.epsilon if math.isfinite(mechanism.epsilon) else None,
            "delta": mechanism.guarantee.delta,
            "people": sums.people(question, level),
        }
        for level, mechanism in enumerate(campaign.levels(question))
    ]


def _chunks(connection: Connection, number: int) -> Iterator[list[bytes]]:
    asked = select(reports.c.body).where(reports.c.campaign == number, reports.c.body.is_not(None))
    chunk: list[bytes] = []
    size = 0
    for (body,) in connection.execution_options(yield_per=ROWS // 4).execute(asked):
        chunk.append(body)
        size += len(body)
        if len(chunk) >= ROWS or size >= BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _over_time(connection: Connection, number: int) -> list[dict[str, int]]:
    """How many reports there were at the end of each of some spans between the first and the last."""
    mine = (reports.c.campaign == number, reports.c.body.is_not(None))
    ends = select(func.min(reports.c.arrived), func.max(reports.c.arrived)).where(*mine)
    first, last = connection.execute(ends).one()
    if first is None:
        return []
    width = (last - first) // POINTS + 1
    span = ((reports.c.arrived - first) - (reports.c.arrived - first) % width).label("span")
    counted = select(span, func.count()).where(*mine).group_by(span).order_by(span)
    points = []
    total = 0
    for start, count in connection.execute(counted):
        total += count
        points.append({"until": min(first + int(start) + width - 1, last), "reports": total})
    return points


def _expected(
    campaign: Campaign, classes: Estimated | None, features: Estimated | None, answered: dict[Question, int]
) -> dict[str, Any]:
    """Mean half-widths now, and once everybody has answered at the levels that people took so far."""
    now = {
        "classes": None if classes is None else float(classes[1].mean()),
        "features": None if features is None else float(features[1].mean()),
    }
    people = {"classes": answered["label"], "features": answered["features"]}
    everybody = campaign.num_people
    later = everybody and {
        name: None if half is None else half * math.sqrt(min(1.0, people[name] / everybody))
        for name, half in now.items()
    }
    return {**now, "now": max(people.values()), "at_everybody": later}
