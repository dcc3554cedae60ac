"""Reports as bytes: what was answered comes back, nothing else is taken, and it is as short as is said."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.wire import vectors

import hushgraph as hg
from hushgraph.collection.varint import read_varint
from hushgraph.collection.wire import Wire, WireError
from hushgraph.collection.wire_batch import decode_all

CAMPAIGNS = list(vectors.campaigns())
WIRES = [Wire(campaign) for campaign in CAMPAIGNS]


def sent(campaign, number=0):
    """What the people of the test vectors send, with the operating system's randomness."""
    return [
        hg.answer(campaign, person, **held, levels=levels, public_columns=True)
        for person, held, levels in vectors.answers(campaign, number)
    ]


def same(report, other):
    assert (report.campaign_id, report.person, report.simulated) == (
        other.campaign_id, other.person, other.simulated,
    )  # fmt: skip
    assert list(report.answers) == list(other.answers)
    for question, answer in report.answers.items():
        assert answer.level == other.answers[question].level
        assert set(answer.parts) == set(other.answers[question].parts)
        for name, part in answer.parts.items():
            np.testing.assert_array_equal(part, other.answers[question].parts[name])


def test_the_vectors_are_what_is_written_today():
    assert vectors.FILE.read_text(encoding="utf-8") == vectors.text(), "python -m tests.wire.vectors"


@pytest.mark.parametrize("campaign", CAMPAIGNS, ids=lambda campaign: campaign.name)
def test_what_was_answered_comes_back(campaign):
    wire = Wire(campaign)
    for report in sent(campaign):
        data = wire.encode(report)
        same(wire.decode(data), report)
        assert wire.check(data) == report.person
        # And so it does from JSON, which says the same.
        same(hg.Report.from_json(report.to_json(), campaign), report)


@pytest.mark.parametrize("campaign", CAMPAIGNS, ids=lambda campaign: campaign.name)
def test_many_at_once_are_what_each_is(campaign):
    reports = [report for number in range(3) for report in sent(campaign, number)[: 3 - number]]
    together, refused = decode_all(campaign, map(Wire(campaign).encode, reports))
    one_by_one, refused_there = hg.Reports.gather(campaign, reports)
    assert [(one.report, one.why) for one in refused] == [(one.report, one.why) for one in refused_there]
    assert len(together) == 3
    assert len(refused) == 3
    for report, other in zip(together, one_by_one, strict=True):
        same(report, other)


def test_a_label_and_a_feature_of_ten_thousand_take_ten_bytes():
    asked = hg.Campaign(
        classes=10, num_features=10_000, features=hg.MultiBit(1.0), labels=hg.RandomizedResponse(1.0),
        num_people=1_000_000,
    )  # fmt: skip
    report = hg.answer(asked, 999_999, features=np.ones(10_000), label=3, public_columns=True)
    assert len(Wire(asked).encode(report)) == 10


def test_sampled_features_must_be_the_public_ones():
    (asked, wire) = CAMPAIGNS[0], WIRES[0]
    drawn = [hg.answer(asked, 3, features=np.zeros(12), levels={"features": 0}) for _ in range(200)]
    other = next(report for report in drawn if not _asked_in_public(wire, report))
    with pytest.raises(ValueError, match="public_columns=True"):
        wire.encode(other)


def _asked_in_public(wire, report):
    return np.array_equal(report.answers["features"].parts["columns"], wire.columns([report.person], 0)[0])


def test_a_report_to_another_campaign_is_refused_on_both_sides():
    report = sent(CAMPAIGNS[1])[0]
    with pytest.raises(ValueError, match="another campaign"):
        WIRES[0].encode(report)
    with pytest.raises(WireError, match="another campaign"):
        WIRES[0].decode(WIRES[1].encode(report))


def test_a_simulated_report_says_so():
    asked, wire = CAMPAIGNS[1], WIRES[1]
    features, rng = np.zeros(12), np.random.default_rng(0)
    simulated = hg.answer(asked, 1, features=features, public_columns=True, rng=rng)
    real = hg.answer(asked, 1, features=features, public_columns=True)
    assert wire.encode(simulated)[0] ^ wire.encode(real)[0] == 0b1000
    assert wire.decode(wire.encode(simulated)).simulated
    assert not wire.decode(wire.encode(real)).simulated


def test_those_who_say_otherwise_than_most_do_not_speak_for_them():
    asked, wire = CAMPAIGNS[1], WIRES[1]
    bodies = [
        wire.encode(hg.answer(asked, person, features=np.zeros(12), public_columns=True, rng=rng))
        for person, rng in enumerate([None, None, np.random.default_rng(0)])
    ]
    reports, refused = decode_all(asked, bodies)
    assert not reports.simulated
    assert reports.people.tolist() == [0, 1]
    assert [(one.report, one.person) for one in refused] == [(2, 2)]


@pytest.mark.parametrize("number", range(len(CAMPAIGNS)), ids=[campaign.name for campaign in CAMPAIGNS])
def test_every_change_of_a_byte_gives_another_report_or_none(number):
    """So no two byte strings say the same, and nothing that is sent is looked past."""
    campaign, wire = CAMPAIGNS[number], WIRES[number]
    for report in sent(campaign)[:2]:
        data = wire.encode(report)
        for place in range(min(len(data), 40)):
            for value in range(256):
                changed = data[:place] + bytes([value]) + data[place + 1 :]
                try:
                    read = wire.decode(changed)
                except WireError:
                    with pytest.raises(WireError):
                        wire.check(changed)
                    continue
                assert wire.check(changed) == read.person
                assert wire.encode(read) == changed
        for end in range(len(data)):
            with pytest.raises(WireError):
                wire.decode(data[:end])
        with pytest.raises(WireError, match="follows"):
            wire.decode(data + b"\0")


@given(st.sampled_from(range(len(WIRES))), st.binary(max_size=80))
@settings(max_examples=2_000, deadline=None)
def test_what_is_read_is_what_would_be_written(number, rest):
    wire = WIRES[number]
    data = wire.encode(sent(CAMPAIGNS[number])[0])[:5] + rest
    try:
        read = wire.decode(data)
    except WireError:
        return
    assert wire.encode(read) == data


def test_a_refusal_repeats_nothing_that_was_sent():
    wire = WIRES[0]
    data = wire.encode(sent(CAMPAIGNS[0])[2])
    for bad in (b"", data[:7], data + b"secret", b"\x1b1234" + data[5:], data[:-1] + b"\x7f"):
        with pytest.raises(WireError) as told:
            wire.check(bad)
        assert "secret" not in str(told.value)
        assert "1234" not in str(told.value)


def test_a_mechanism_of_ones_own_that_samples_is_not_for_the_wire():
    class Other:
        epsilon, low, high = 1.0, 0.0, 1.0

        def sampled(self, dimensions):
            return 1

    campaign = CAMPAIGNS[0]
    object.__setattr__(strange := hg.Campaign.from_json(campaign.to_json()), "features", (Other(),))
    with pytest.raises(ValueError, match="only MultiBit"):
        Wire(strange)


def test_levels_names_and_classes_beyond_the_last_are_refused():
    lists = next(wire for wire, campaign in zip(WIRES, CAMPAIGNS, strict=True) if campaign.name == "lists")
    head = bytes([0b10100]) + bytes.fromhex(lists.campaign.id[:8])
    good = head + bytes([3, 0, 2, 0, 5])  # person 3, level 0, two names: 0 and 6
    assert lists.decode(good).answers["lists"].parts["names"].tolist() == [0, 6]
    cases = {
        head + bytes([3, 2, 0]): "level",
        head + bytes([3, 0, 1, 200, 1]): "names must lie",
        head + bytes([3, 0, 1, 3]): "own person",
        head + bytes([200, 1, 0, 0]): "numbered",
        head + bytes([3, 0, 100, 1]): "too early",
        bytes([0b10001]) + good[1:]: "does not ask",
        bytes([0b10000]) + good[1:]: "nothing",
        bytes([0b100100]) + good[1:]: "version",
    }
    for data, why in cases.items():
        with pytest.raises(WireError, match=why):
            lists.check(data)


def test_numbers_that_no_device_sends_are_refused():
    for name, bad in (
        ("laplace", math.inf),
        ("laplace", math.nan),
        ("gaussian", 1e30),
        ("as they are", 1.5),
        ("laplace", -0.0),
    ):
        campaign = next(one for one in CAMPAIGNS if one.name == name)
        wire = Wire(campaign)
        report = next(one for one in sent(campaign) if one.person == 0)
        data = wire.encode(report)
        values = report.answers["features"].parts["values"].copy()
        values[5] = bad
        start = next(place for place in range(len(data)) if data[place:].startswith(
            report.answers["features"].parts["values"].astype("<f4").tobytes()))  # fmt: skip
        with pytest.raises(WireError, match="values"):
            wire.check(data[:start] + values.astype("<f4").tobytes() + data[start + 48 :])


def test_names_are_written_as_distances():
    lists = next(campaign for campaign in CAMPAIGNS if campaign.name == "lists")
    report = hg.answer(lists, 5, friends=[1], levels={"lists": 1}, public_columns=True)
    names = report.answers["lists"].parts["names"].tolist()
    data = Wire(lists).encode(report)
    written, at = [], 7
    while at < len(data):
        number, at = read_varint(data, at)
        written.append(number)
    assert written == [len(names), *(later - earlier - 1 for earlier, later in pairwise([-1, *names]))]


def test_a_million_inputs_end_in_a_report_or_a_refusal():
    """Reports with some bytes changed or cut off, and noise: nothing but a WireError ever comes out."""
    rng = np.random.default_rng(0)
    bodies = [
        [wire.encode(report) for report in sent(campaign)]
        for wire, campaign in zip(WIRES, CAMPAIGNS, strict=True)
    ]
    taken = refused = 0
    while taken + refused < 1_000_000:
        wire = WIRES[taken % len(WIRES)]
        good = np.frombuffer(bodies[taken % len(WIRES)][refused % 3], np.uint8)[:64]
        block = np.tile(good, (2_000, 1))
        for _ in range(3):
            block[np.arange(2_000), rng.integers(0, good.size, 2_000)] = rng.integers(0, 256, 2_000)
        block[:1_000, 1:5] = good[1:5]
        ends = rng.integers(0, 2 * good.size, 2_000)
        for row, end in zip(block, ends.tolist(), strict=True):
            try:
                wire.check(row[:end].tobytes())
                taken += 1
            except WireError:
                refused += 1
    assert taken > 10_000
    assert refused > 10_000
