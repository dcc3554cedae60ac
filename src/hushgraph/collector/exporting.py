"""All reports to a campaign as one stream of bytes; docs/wire.md has the format."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Engine, select, text

from hushgraph.collection.varint import varint
from hushgraph.collector.campaigns import Ready
from hushgraph.collector.schema import reports

MAGIC = b"HUSHEXP1"
ROWS = 5_000
PART = 1 << 18


def exported(engine: Engine, ready: Ready) -> Iterator[bytes]:
    """Reports by person, as one moment has them, in memory that does not grow with them."""
    asked = (
        select(reports.c.body)
        .where(reports.c.campaign == ready.number, reports.c.body.is_not(None))
        .order_by(reports.c.person)
    )
    count = 0
    part = bytearray(MAGIC + varint(len(ready.terms)) + ready.terms)
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
        for (body,) in connection.execution_options(yield_per=ROWS).execute(asked):
            part += varint(len(body))
            part += body
            count += 1
            if len(part) >= PART:
                yield bytes(part)
                part.clear()
    yield bytes(part) + varint(0) + varint(count)
