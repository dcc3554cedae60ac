"""Batches of a gateway: what is good is kept in one transaction, and the rest is named."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack, closing

import pytest
from tests.collector.playing import Admin, batch, campaign, other_report, report, running

import hushgraph as hg
from hushgraph.collection.varint import varint
from hushgraph.collector.refusals import RefusedError
from hushgraph.collector.slots import Slots


def test_a_batch_is_kept_and_again(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    everybody = batch((tokens[person], report(asked, person)) for person in range(200))
    assert admin.send_batch(asked, everybody).json() == {"kept": 200, "again": 0, "refused": []}
    assert admin.send_batch(asked, everybody).json() == {"kept": 0, "again": 200, "refused": []}
    assert admin.stored(asked, tokens[150]).content == report(asked, 150)


def test_each_entry_is_judged_by_itself(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    admin.send(asked, tokens[1], report(asked, 1))
    admin.withdraw(asked, tokens[2])
    entries = [
        (tokens[0], report(asked, 0)),
        (tokens[1], other_report(asked, 1)),
        (tokens[2], report(asked, 2)),
        (tokens[0], report(asked, 3)),
        (tokens[4], b"malformed"),
        (tokens[5], report(asked, 5)),
        (tokens[5], report(asked, 5)),
        (tokens[5], other_report(asked, 5)),
        (f"6.{'A' * 22}", report(asked, 6)),
        (tokens[6], report(asked, 6)),
    ]
    told = admin.send_batch(asked, batch(entries)).json()
    assert (told["kept"], told["again"]) == (3, 1)
    refused = {one["entry"]: one["status"] for one in told["refused"]}
    assert refused == {1: 409, 2: 410, 3: 401, 4: 422, 7: 409, 8: 401}
    assert all(one["why"] for one in told["refused"])
    assert admin.stored(asked, tokens[5]).content == report(asked, 5)
    assert admin.get(asked).json()["reports"] == 4


def test_a_batch_to_a_campaign_that_is_not_open_is_refused_entry_by_entry(
    admin: Admin, asked: hg.Campaign
) -> None:
    admin.create(asked)
    tokens = admin.tokens(asked)
    told = admin.send_batch(asked, batch([(tokens[0], report(asked, 0))])).json()
    assert [one["status"] for one in told["refused"]] == [403]


def test_what_is_no_batch_is_refused_as_a_whole(admin: Admin, asked: hg.Campaign) -> None:
    admin.started(asked)
    one = varint(1) + bytes(16)
    for body in (
        b"", b"\x80", b"\x80\x00", varint(10_001), varint(1), one, one + varint(5), varint(0) + b"more",
        varint(2**62), b"\xff" * 20, one + varint(2**62) + b"x",
    ):  # fmt: skip
        answer = admin.send_batch(asked, body)
        assert answer.status_code == 422, body
        assert answer.json()["why"].startswith("this is no batch: ")


def test_an_empty_batch_is_a_batch(admin: Admin, asked: hg.Campaign) -> None:
    admin.started(asked)
    assert admin.send_batch(asked, varint(0)).json() == {"kept": 0, "again": 0, "refused": []}


def test_a_report_in_a_batch_may_be_no_larger_than_alone(on_sqlite: str, asked: hg.Campaign) -> None:
    with running(on_sqlite, largest_report=len(report(asked, 0)) - 1) as admin:
        tokens = admin.started(asked)
        assert admin.send(asked, tokens[0], report(asked, 0)).status_code == 413
        told = admin.send_batch(asked, batch([(tokens[0], report(asked, 0))])).json()
        assert [one["status"] for one in told["refused"]] == [422]


def _begun(admin: Admin, asked: hg.Campaign, source: int, sent: int = 3, size: int = 500) -> socket.socket:
    """A batch that does not go on, from an address of this machine."""
    host, _, port = admin.address.removeprefix("http://").rpartition(":")
    one = socket.create_connection((host, int(port)), 10, (f"127.0.0.{source}", 0))
    place = f"/v1/campaigns/{asked.id}/reports"
    head = f"POST {place} HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n".encode()
    one.sendall(head + b"\x05" * sent)
    return one


def test_batches_that_come_slowly_are_not_in_others_way(on_sqlite: str) -> None:
    """Nobody needs a token to begin one."""
    with running(on_sqlite) as admin, ExitStack() as stack:
        asked = campaign()
        tokens = admin.started(asked)
        for source in (1, 2, 3, 4):
            for _ in range(5):
                stack.enter_context(closing(_begun(admin, asked, source)))
        time.sleep(0.2)
        assert admin.send_batch(asked, batch([(tokens[0], report(asked, 0))])).json()["kept"] == 1


def test_bodies_of_batches_have_a_budget_and_one_address_a_part_of_it(on_sqlite: str) -> None:
    with (
        running(on_sqlite, largest_batch=1_000, body_bytes=2_500, body_seconds=2.0) as admin,
        ExitStack() as stack,
    ):
        asked = campaign()
        tokens = admin.started(asked)
        good = batch([(tokens[0], report(asked, 0))])
        assert admin.send_batch(asked, good).json()["kept"] == 1
        stack.enter_context(closing(_begun(admin, asked, 1, 990, 1_000)))
        time.sleep(0.2)
        busy = admin.send_batch(asked, good)
        assert (busy.status_code, busy.json()) == (503, {"why": "too many bodies are arriving at a time"})
        assert busy.headers["retry-after"] == "1"
        for source, status in ((2, b"200"), (3, b"503")):
            stack.enter_context(closing(_begun(admin, asked, source, 990 // (source - 1), 1_000)))
            time.sleep(0.2)
            one = stack.enter_context(closing(_begun(admin, asked, 4, 0, len(good))))
            one.sendall(good)
            assert one.recv(1 << 16)[9:12] == status
        time.sleep(2.2)
        assert admin.send_batch(asked, good).json()["again"] == 1


def test_only_so_many_batches_are_worked_on_at_a_time() -> None:
    slots = Slots("batches", 3, 2)
    with slots.one("a"), slots.one("a"):
        with pytest.raises(RefusedError, match="too many batches at a time"), slots.one("a"):
            pass
        with slots.one("b"), pytest.raises(RefusedError, match="too many batches"), slots.one("c"):
            pass
    with slots.one("a"):
        pass
