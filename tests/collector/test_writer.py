"""Group commit: what is acknowledged was committed, and what was not committed is not acknowledged."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, event, func, select
from sqlalchemy.exc import OperationalError
from tests.collector.playing import campaign, report

from hushgraph.collector import campaigns, rounds, tokens
from hushgraph.collector.refusals import RefusedError
from hushgraph.collector.schema import reports
from hushgraph.collector.stores import Store, open_store
from hushgraph.collector.submissions import Submission
from hushgraph.collector.writer import Writer

ASKED = campaign()
SECRET = bytes(16)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """With an open campaign, number 1, in which everybody has the same secret."""
    opened = open_store(database)
    people = list(range(200))
    with opened.engine.connect().execution_options(writes=True) as connection, connection.begin():
        campaigns.create(connection, ASKED)
        campaigns.move(connection, ASKED.id, "open")
        opened.statements.issue(connection, 1, people, [_digest(person) for person in people], None)
    yield opened
    opened.engine.dispose()


def _digest(person: int) -> bytes:
    return tokens.digest(bytes.fromhex(ASKED.id), person, SECRET)


def _submission(*people: int) -> Submission:
    return Submission(1, people, [_digest(one) for one in people], [report(ASKED, one) for one in people])


def _count(store: Store) -> int:
    with store.engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(reports)).scalar_one()


@contextmanager
def held(store: Store) -> Iterator[tuple[Any, threading.Event]]:
    """Statements whose rounds wait before they look at the campaign's state; set the event to let them go."""
    go = threading.Event()

    class Held(type(store.statements)):  # type: ignore[misc]
        def state(self, connection: Connection, campaign: int) -> str | None:
            assert go.wait(10)
            found: str | None = super().state(connection, campaign)
            return found

    try:
        yield Held(), go
    finally:
        go.set()


def _with_writer(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


def test_everything_that_waits_goes_into_one_transaction(store: Store) -> None:
    sizes: list[int] = []

    async def work() -> None:
        with held(store) as (statements, go):
            writer = Writer(
                store.engine, statements, 1_000, 1 << 20, lambda reports, _: sizes.append(reports)
            )
            writer.start()
            waiting = [asyncio.create_task(writer.submit(_submission(person))) for person in range(50)]
            await asyncio.sleep(0.2)
            assert _count(store) == 0
            go.set()
            assert await asyncio.gather(*waiting) == [[201]] * 50
            await asyncio.to_thread(writer.stop)

    _with_writer(work())
    assert sum(sizes) == 50
    # The one that was being decided about, and all that came meanwhile.
    assert len(sizes) <= 2
    assert _count(store) == 50


def test_a_round_that_fails_acknowledges_nothing_and_the_next_one_works(store: Store) -> None:
    class Failing(type(store.statements)):  # type: ignore[misc]
        fails = True

        def insert(self, *given: Any) -> Any:
            found = super().insert(*given)
            if self.fails:
                raise OperationalError("SECRET", {}, Exception("SECRET"))
            return found

    async def work() -> None:
        statements = Failing()
        writer = Writer(store.engine, statements, 1_000, 1 << 20)
        writer.start()
        failed = await asyncio.gather(
            *(writer.submit(_submission(person)) for person in range(5)), return_exceptions=True
        )
        assert [getattr(one, "status", None) for one in failed] == [503] * 5
        assert await asyncio.to_thread(_count, store) == 0
        statements.fails = False
        assert await writer.submit(_submission(1, 2)) == [201, 201]
        await asyncio.to_thread(writer.stop)

    _with_writer(work())


def test_a_commit_that_fails_acknowledges_nothing(store: Store) -> None:
    failing = True

    def fail(connection: Connection) -> None:
        if failing:
            raise OperationalError("COMMIT", {}, Exception("the disk is full"))

    async def work() -> None:
        nonlocal failing
        writer = Writer(store.engine, store.statements, 1_000, 1 << 20)
        writer.start()
        event.listen(store.engine, "commit", fail)
        with pytest.raises(RefusedError) as refused:
            await writer.submit(_submission(1))
        assert refused.value.status == 503
        failing = False
        assert await writer.submit(_submission(1)) == [201]
        await asyncio.to_thread(writer.stop)

    _with_writer(work())


def test_too_much_waiting_is_refused_at_once(store: Store) -> None:
    async def work() -> None:
        with held(store) as (statements, go):
            writer = Writer(store.engine, statements, 10, 1 << 20)
            writer.start()
            waiting = [asyncio.create_task(writer.submit(_submission(person))) for person in range(10)]
            await asyncio.sleep(0.1)
            with pytest.raises(RefusedError) as refused:
                await writer.submit(_submission(11))
            assert (refused.value.status, refused.value.headers) == (503, {"Retry-After": "1"})
            go.set()
            assert await asyncio.gather(*waiting) == [[201]] * 10
            assert (writer.waiting_reports, writer.waiting_bytes) == (0, 0)
            assert await writer.submit(_submission(11)) == [201]
            await asyncio.to_thread(writer.stop)

    _with_writer(work())


def test_whoever_goes_away_does_not_take_the_report_with_them(store: Store) -> None:
    async def work() -> None:
        with held(store) as (statements, go):
            writer = Writer(store.engine, statements, 10, 1 << 20)
            writer.start()
            waiting = asyncio.create_task(writer.submit(_submission(1)))
            await asyncio.sleep(0.1)
            waiting.cancel()
            go.set()
            assert await writer.submit(_submission(1)) == [200]
            assert writer.waiting_reports == 0
            await asyncio.to_thread(writer.stop)

    _with_writer(work())


def test_stopping_writes_what_waits_and_takes_nothing_more(store: Store) -> None:
    async def work() -> None:
        with held(store) as (statements, go):
            writer = Writer(store.engine, statements, 1_000, 1 << 20)
            writer.start()
            waiting = [asyncio.create_task(writer.submit(_submission(person))) for person in range(20)]
            await asyncio.sleep(0.1)
            stopping = asyncio.create_task(asyncio.to_thread(writer.stop))
            await asyncio.sleep(0.1)
            with pytest.raises(RefusedError, match="stopping"):
                await writer.submit(_submission(30))
            with pytest.raises(RefusedError, match="stopping"):
                writer.run(lambda connection: None).result()
            go.set()
            assert await asyncio.gather(*waiting) == [[201]] * 20
            await stopping
            assert not writer.alive

    _with_writer(work())


def test_two_different_reports_of_one_person_in_one_round_are_decided_by_their_order(store: Store) -> None:
    other = next(body for seed in range(1, 99) if (body := report(ASKED, 1, seed)) != report(ASKED, 1))
    second = Submission(1, [1], [_digest(1)], [other])
    forged = Submission(1, [1], [bytes(32)], [other])
    with store.engine.connect().execution_options(writes=True) as connection, connection.begin():
        waiting = [forged, _submission(1), second, _submission(1)]
        assert rounds.decide(connection, store.statements, waiting) == [[401], [201], [409], [200]]
