"""What a dashboard shows of a campaign, computed from its reports in one pass and in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sqlalchemy import Connection, Engine, func, select, text

from hushgraph.collection.wire import SIMULATED
from hushgraph.collection.wire_batch import decode_all
from hushgraph.collector.campaigns import Ready
from hushgraph.collector.schema import reports
from hushgraph.collector.sums import Sums

POINTS = 100
SHOWN = 50
ROWS, BYTES = 20_000, 1 << 19


def compute(engine: Engine, ready: Ready) -> dict[str, Any]:
    """Everything but the state and the counts, which change without it."""
    campaign = ready.campaign
    sums = Sums(campaign)
    simulated = 0
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
        over_time = _over_time(connection, ready.number)
        for chunk in _chunks(connection, ready.number):
            # What came from a seed and what did not are decoded apart: each is believed about itself.
            seeded = [body for body in chunk if body[0] & SIMULATED]
            simulated += len(seeded)
            for part in (seeded, [body for body in chunk if not body[0] & SIMULATED]):
                if part:
                    sums.add(decode_all(campaign, part)[0])
    classes, features = sums.classes(), sums.features()
    answered = {question: sums.answered(question) for question in ("features", "label", "lists")}
    return {
        "simulated": simulated,
        "over_time": over_time,
        "classes": [
            {"name": name, "share": share, "half_width": half}
            for name, share, half in zip(campaign.classes, *(values.tolist() for values in classes), strict=True)
        ] if classes else [],
        "labels": answered["label"],
        "num_features": campaign.num_features,
        "features": [
            {"name": _name(ready, column), "mean": mean, "half_width": half}
            for column, (mean, half) in enumerate(zip(*(values[:SHOWN].tolist() for values in features), strict=True))
        ] if features else [],
        "features_from": answered["features"],
        "lists_from": answered["lists"],
        "mean_friends": sums.mean_friends(),
        "expected_error": _expected(ready, classes, features, answered),
        "guarantee": str(campaign.guarantee),
        "levels": {
            question: [
                {
                    "epsilon": _finite(mechanism.epsilon),
                    "delta": mechanism.guarantee.delta,
                    "people": sums.people(question, level),
                }
                for level, mechanism in enumerate(campaign.levels(question))
            ]
            for question in campaign.asked
        },
    }  # fmt: skip


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
    # PostgreSQL and SQLite both divide whole numbers without a rest, the one by //, the other by /.
    span = ((reports.c.arrived - first) - (reports.c.arrived - first) % width).label("span")
    counted = select(span, func.count()).where(*mine).group_by(span).order_by(span)
    points = []
    total = 0
    for start, count in connection.execute(counted):
        total += count
        points.append({"until": min(first + int(start) + width - 1, last), "reports": total})
    return points


def _expected(ready: Ready, classes: Any, features: Any, answered: dict[str, int]) -> dict[str, Any]:
    """Mean half-widths now, and once everybody has answered as many of the questions as people did so far."""
    now = {
        "classes": float(np.mean(classes[1])) if classes else None,
        "features": float(np.mean(features[1])) if features else None,
    }
    everybody = ready.campaign.num_people
    people = {"classes": answered["label"], "features": answered["features"]}
    later = {
        name: half if half is None else half * float(np.sqrt(min(1.0, people[name] / everybody)))
        for name, half in now.items()
    } if everybody else None  # fmt: skip
    return {**now, "now": max(people.values()), "at_everybody": later}


def _name(ready: Ready, column: int) -> str:
    names = ready.campaign.feature_names
    return str(column) if names is None else names[column]


def _finite(value: float) -> float | None:
    """JSON has no infinity: None is no privacy."""
    return value if np.isfinite(value) else None
