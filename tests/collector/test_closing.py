"""Nothing is taken after a close that has returned, however many collectors there are."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from sqlalchemy import select
from tests.collector.playing import Admin, campaign, report, running

import hushgraph as hg
from hushgraph.collector.schema import reports
from hushgraph.collector.stores import open_store


def _send_until_refused(admins: list[Admin], closer: Admin, asked: hg.Campaign) -> tuple[set[int], set[int]]:
    """Who was acknowledged; and who began to send after the close had returned."""
    tokens = closer.started(asked)
    acknowledged: set[int] = set()
    began_late: set[int] = set()
    closed = threading.Event()

    def device(person: int) -> None:
        late = closed.is_set()
        answer = admins[person % len(admins)].send(asked, tokens[person], report(asked, person))
        assert answer.status_code in (201, 403)
        if answer.status_code == 201:
            acknowledged.add(person)
        if late:
            began_late.add(person)

    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(device, person) for person in range(len(tokens))]
        while len(acknowledged) < 60:
            pass
        assert closer.post(asked, "close").status_code == 200
        closed.set()
        for one in sent:
            one.result()
    return acknowledged, began_late


def test_a_close_that_returned_is_the_end(database: str) -> None:
    asked = campaign()
    with running(database) as admin:
        acknowledged, late = _send_until_refused([admin], admin, asked)
        assert late
        assert not late & acknowledged
        assert admin.get(asked).json()["reports"] == len(acknowledged)


@pytest.mark.parametrize("attempt", range(3))
def test_a_close_at_one_collector_is_the_end_at_the_other(new_postgresql: str, attempt: int) -> None:
    asked = campaign(name=str(attempt))
    with running(new_postgresql) as one, running(new_postgresql) as other:
        acknowledged, late = _send_until_refused([one, other], one, asked)
        assert late
        assert not late & acknowledged
        assert other.get(asked).json()["reports"] == len(acknowledged)


def test_several_collectors_keep_each_person_once(new_postgresql: str) -> None:
    """Everybody sends two different reports to three collectors at once; one of them wins, everywhere."""
    asked = campaign(people=60)
    with ExitStack() as stack:
        admins = [stack.enter_context(running(new_postgresql)) for _ in range(3)]
        tokens = admins[0].started(asked)
        answers: dict[int, list[tuple[int, bytes]]] = {person: [] for person in tokens}

        def device(job: int) -> None:
            person, version = job // 6, job % 2
            body = report(asked, person, version)
            answers[person].append((admins[job % 3].send(asked, tokens[person], body).status_code, body))

        with ThreadPoolExecutor(12) as pool:
            list(pool.map(device, range(6 * 60)))
        store = open_store(new_postgresql)
        with store.engine.connect() as connection:
            rows = connection.execute(select(reports.c.person, reports.c.body)).all()
            kept = {row.person: row.body for row in rows}
        store.engine.dispose()
        assert kept.keys() == tokens.keys()
        for person, told in answers.items():
            assert sum(status == 201 for status, _ in told) == 1
            for status, body in told:
                assert (status in (200, 201)) == (body == kept[person])
                assert status in (200, 201, 409)
