"""Batches of a gateway: what is good is kept in one transaction, and the rest is named."""

from __future__ import annotations

from tests.collector.playing import Admin, batch, other_report, report, running

import hushgraph as hg
from hushgraph.collection.varint import varint


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
