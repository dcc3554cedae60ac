"""No well-formed report is longer than the door takes, and none that is much longer is read."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from tests.collector.playing import Admin, campaign, running

import hushgraph as hg
from hushgraph.collection.varint import varint
from hushgraph.collection.wire import Wire
from hushgraph.collector.sizes import SLACK, largest_report

LARGEST_PERSON = (1 << 62) - 1


@pytest.mark.parametrize(
    "features",
    [
        hg.MultiBit(1.0),
        [hg.MultiBit(1.0), hg.MultiBit(40.0)],
        hg.OneBit(1.0),
        hg.Laplace(1.0),
        hg.MultiBit(math.inf),
    ],
)
def test_the_largest_reports_of_devices_fit(features: object) -> None:
    asked = campaign(people=LARGEST_PERSON + 1, num_features=1_000, features=features)
    levels = {"features": len(asked.features) - 1, "label": 0}
    sent = hg.answer(
        asked, LARGEST_PERSON, features=np.ones(1_000), label="bird", levels=levels, public_columns=True
    )
    assert len(Wire(asked).encode(sent)) <= largest_report(asked)


@pytest.mark.parametrize("step", [1, 2, 127, 128, 129, 130, 16_384, 20_000])
def test_lists_of_whatever_distances_fit(step: int) -> None:
    people = 50_000
    asked = campaign(
        people=people, features=None, num_features=0, labels=None, lists=hg.AdjacencyRandomizedResponse(3.0)
    )
    names = list(range(1, people, step))
    distances = [names[0], *(later - earlier - 1 for earlier, later in pairwise(names))]
    head = bytes([0b10100]) + bytes.fromhex(asked.id[:8]) + varint(0)
    body = head + varint(len(names)) + b"".join(map(varint, distances))
    assert Wire(asked).check(body) == 0
    assert len(body) <= largest_report(asked)


def test_what_is_much_longer_than_any_report_is_not_read(admin: Admin, asked: hg.Campaign) -> None:
    token = admin.started(asked)[0]
    assert admin.send(asked, token, bytes(largest_report(asked) + SLACK)).status_code == 422
    assert admin.send(asked, token, bytes(largest_report(asked) + SLACK + 1)).status_code == 413


def test_a_campaign_whose_reports_would_be_too_large_is_refused_at_once(on_sqlite: str) -> None:
    with running(on_sqlite, largest_report=4_000) as admin:
        answer = admin.create(campaign(num_features=1_001, features=hg.Laplace(1.0)))
        assert answer.status_code == 422
        assert "its reports have at least 4,004 bytes, and 4,000 are taken" in answer.json()["why"]
        assert admin.create(campaign(num_features=1_000, features=hg.Laplace(1.0))).status_code == 201


def test_a_long_report_is_kept_like_a_short_one(admin: Admin, asked: hg.Campaign) -> None:
    asked = campaign(name=asked.name, num_features=10_000, features=hg.Laplace(1.0))
    tokens = admin.started(asked)
    body = Wire(asked).encode(hg.answer(asked, 3, features=np.zeros(10_000)))
    assert len(body) > 1 << 14
    assert admin.send(asked, f"3.{'A' * 22}", body).status_code == 401
    assert admin.send(asked, tokens[4], body).status_code == 403
    assert admin.send(asked, tokens[3], body[:-1]).status_code == 422
    assert admin.send(asked, tokens[3], body).status_code == 201
    assert admin.stored(asked, tokens[3]).content == body
