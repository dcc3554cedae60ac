"""Malformed reports: each is refused with what was wrong and whose it was, and the others are kept."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.collection.asked import ASKED, PEOPLE, PLAIN, SECRET, SIGNS, VALUES, batch, good

import hushgraph as hg
from hushgraph.collection import Answer, Answers, Report


def changed(**paths):
    """A good report of person 5 with some entries replaced; ``a__b`` is the entry b of a."""
    document = good(5)
    for path, value in paths.items():
        *way, last = path.split("__")
        place = document
        for step in way:
            place = place[step]
        place[last] = value
    return json.dumps(document)


def without(*way):
    document = good(5)
    place = document
    for step in way[:-1]:
        place = place[step]
    del place[way[-1]]
    return json.dumps(document)


MALFORMED = {
    "nothing": ("", "it is not JSON"),
    "not JSON": ("{person: 5}", "it is not JSON"),
    "cut off": (json.dumps(good(5))[:-9], "it is not JSON"),
    "not UTF-8": (b"\xff\xfe{}", "it is not JSON"),
    "deeply nested": ("[" * 100_000, "it is not JSON"),
    "a list": ("[]", "it must be a JSON object"),
    "a number": ("7", "it must be a JSON object"),
    "no format": (without("format"), "it has no format"),
    "a format from the future": (changed(format=2), "its format is not 1"),
    "no campaign": (without("campaign"), "it has no campaign"),
    "another campaign": (changed(campaign="0" * 64), "it answers another campaign"),
    "no person": (without("person"), "it has no person"),
    "a person's name": (changed(person="ann"), "person must be a whole number"),
    "half a person": (changed(person=5.0), "person must be a whole number"),
    "a person below 0": (changed(person=-1), "person must be a whole number from 0 on"),
    "a person beyond all": (changed(person=PEOPLE), "people are numbered 0 to 29"),
    "an enormous person": (changed(person=10**30), "person must be a whole number"),
    "true as a person": (changed(person=True), "person must be a whole number"),
    "something extra": (changed(token="x"), "1 entries that are not known"),
    "no answers": (changed(answers={}), "at least one answer"),
    "answers that are a list": (changed(answers=[]), "answers must be a JSON object"),
    "an unknown question": (changed(answers__income={"level": 0}), "a question that there is not"),
    "an answer that is null": (changed(answers__label=None), "the level of label must be"),
    "no level": (without("answers", "label", "level"), "the level of label must be a whole number in 0 … 1"),
    "a level that is not offered": (changed(answers__label__level=2), "the level of label must be"),
    "a level below 0": (changed(answers__label__level=-1), "the level of label must be"),
    "no label": (without("answers", "label", "label"), "label has no label"),
    "a label beyond the classes": (changed(answers__label__label=3), "label must lie in 0 … 2"),
    "a label below 0": (changed(answers__label__label=-1), "label must lie in 0 … 2"),
    "a label as a word": (changed(answers__label__label="dog"), "label must be a whole number"),
    "a label in a list": (changed(answers__label__label=[1]), "label must be a whole number"),
    "too few columns": (changed(answers__features__columns=[0, 1]), "columns must have 3 entries, and has 2"),
    "too many signs": (changed(answers__features__signs=[1, 1, 1, 1]), "signs must have 3 entries"),
    "a column twice": (changed(answers__features__columns=[0, 1, 1]), "columns must be distinct"),
    "a column beyond": (changed(answers__features__columns=[0, 1, 6]), "columns must lie in 0 … 5"),
    "a column below 0": (changed(answers__features__columns=[0, 1, -1]), "columns must lie in 0 … 5"),
    "half a column": (changed(answers__features__columns=[0, 1, 2.5]), "columns must hold whole numbers"),
    "a sign of 0": (changed(answers__features__signs=[1, 0, 1]), "signs must be -1 or 1"),
    "a sign of a million": (changed(answers__features__signs=[1, SECRET, 1]), "signs must be -1 or 1"),
    "a sign that wraps to 1": (changed(answers__features__signs=[1, 257, 1]), "signs must be -1 or 1"),
    "signs that are text": (changed(answers__features__signs="+++"), "signs must be a list"),
    "no signs": (without("answers", "features", "signs"), "features has no signs"),
    "values instead": (changed(answers__features={"level": 0, "values": [0.5] * 6}), "features has no"),
    "a list that names its person": (changed(answers__lists__names=[5]), "must not name its own person"),
    "a name twice": (changed(answers__lists__names=[1, 1]), "names must rise"),
    "names out of order": (changed(answers__lists__names=[3, 1]), "names must rise"),
    "a name beyond all": (changed(answers__lists__names=[30]), "names must lie in 0 … 29"),
    "a name below 0": (changed(answers__lists__names=[-4]), "names must lie in 0 … 29"),
    "names nested": (changed(answers__lists__names=[[1]]), "names must hold whole numbers"),
    "simulated as a word": (changed(simulated="no"), "simulated must be true or false"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_report_is_refused_with_its_number_and_the_others_are_kept(name):
    bad, why = MALFORMED[name]
    given = [json.dumps(good(1)), json.dumps(good(2)), bad, json.dumps(good(3))]
    with pytest.warns(UserWarning, match="1 reports were refused"):
        collected = hg.assemble(ASKED, given)
    (refusal,) = collected.refused
    assert why in refusal.why
    assert str(refusal).startswith(("report 2:", "report 2 (person "))
    assert str(SECRET) not in str(refusal)
    assert collected.reports.people.tolist() == [1, 2, 3]
    assert collected.answered.sum() == 3


@pytest.mark.parametrize(
    ("campaign", "values", "why"),
    [
        (VALUES, [0.5, math.nan, 0.1, 0.2], "values must be finite"),
        (VALUES, [0.5, math.inf, 0.1, 0.2], "values must be finite"),
        (VALUES, [0.5, 1e300, 0.1, 0.2], "values must be finite"),
        (VALUES, [0.5, "0.1", 0.1, 0.2], "values must hold numbers"),
        (VALUES, [0.5, None, 0.1, 0.2], "values must hold numbers"),
        (VALUES, [0.5], "values must have 4 entries"),
        (SIGNS, [1, -1, 1, 0], "values must be -1 or 1"),
        (SIGNS, [1, -1, 1, 0.5], "values must hold whole numbers"),
        (PLAIN, [0.5, 0.5, 0.5, 1.5], r"values must lie in \[0, 1\]"),
    ],
)
def test_values_without_sense_are_refused(campaign, values, why):
    bad = good(5, campaign)
    bad["answers"]["features"]["values"] = values
    given = [json.dumps(good(1, campaign)), json.dumps(bad), json.dumps(good(2, campaign))]
    with pytest.warns(UserWarning, match=why):
        collected = hg.assemble(campaign, given, edges=[[0], [1]])
    assert collected.reports.people.tolist() == [1, 2]


def test_single_reports_of_the_wrong_shape_are_refused_alone():
    reports = list(batch())
    spoilt_one = Report(
        ASKED.id, 5, {"features": Answer(0, {"columns": np.arange(2), "signs": np.ones(2, int)})}
    )
    reports[5] = spoilt_one
    with pytest.warns(UserWarning, match=r"report 5 \(person 5\): columns must have 3 entries"):
        assert hg.assemble(ASKED, reports).reports.people.size == 9


def test_sparse_values_that_are_not_randomised_travel_as_json(graph, split):
    held = replace(graph, features=sp.csr_array(np.where(graph.features > 0.6, graph.features, 0)))
    plain = hg.collect(held, split, features=hg.MultiBit(math.inf), labels=hg.RandomizedResponse(1.0))
    back = hg.assemble(plain.campaign, [one.to_json() for one in plain.reports], edges=graph.edges)
    np.testing.assert_array_equal(back.features, plain.features.toarray())
    np.testing.assert_array_equal(back.features, held.features.toarray())


def test_of_two_reports_of_one_person_the_first_is_kept():
    first, second = good(4), good(4)
    second["answers"]["label"]["label"] = (first["answers"]["label"]["label"] + 1) % 3
    with pytest.warns(UserWarning, match=r"report 1 \(person 4\): there is an earlier one, which is kept"):
        collected = hg.assemble(ASKED, [json.dumps(first), json.dumps(second)])
    assert collected.labels[4] == first["answers"]["label"]["label"]


plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
documents = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_whatever_stands_in_a_report_the_others_are_kept(data):
    """One entry of a good report, at any depth, is replaced by anything."""
    document = good(5)
    place, key = document, data.draw(st.sampled_from(sorted(document)))
    while isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(documents)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        collected = hg.assemble(ASKED, [json.dumps(good(1)), json.dumps(document), json.dumps(good(2))])
    people = collected.reports.people.tolist()
    assert {1, 2} <= set(people)
    assert len(people) + len(collected.refused) == 3
    assert np.isfinite(collected.features.data).all()
    assert collected.labels.max() < 3
    assert collected.friendships.posterior().size == collected.friendships.edges.shape[1]


@settings(max_examples=200, deadline=None)
@given(text=st.text() | st.binary() | documents.map(json.dumps))
def test_no_text_whatever_comes_through_the_door(text):
    reports, refused = hg.Reports.gather(ASKED, [text])
    assert (len(reports), len(refused)) == (0, 1)


@pytest.mark.parametrize(
    ("person", "answers"),
    [
        (2**70, {"label": Answer(0, {"label": np.array(1)})}),
        (None, {"label": Answer(0, {"label": np.array(1)})}),
        ("bob", {"label": Answer(0, {"label": np.array(1)})}),
        (2.5, {"label": Answer(0, {"label": np.array(1)})}),
        ([4], {"label": Answer(0, {"label": np.array(1)})}),
        (5, None),
        (5, {"label": None}),
        (5, {"label": Answer(9, {"label": np.array(1)})}),
        (5, {"features": Answer(-1, {"columns": np.arange(3), "signs": np.ones(3, int)})}),
        (5, {"bogus": Answer(0, {"label": np.array(1)})}),
        (5, {"label": Answer(0, {"label": np.array(1.0)})}),
        (5, {"label": Answer(0, {"label": np.array(True)})}),
        (5, {"label": Answer(0, {"label": np.array("dog")})}),
        (5, {"label": Answer(0, {"label": np.array(2**64 - 1, np.uint64)})}),
        (5, {"lists": Answer(0, {"names": np.array([[1]])})}),
        (5, {"lists": Answer(0, {"names": np.array(1)})}),
        (5, {"lists": Answer(0, {"names": np.array([0.5])})}),
        (5, {"lists": Answer(0, {"names": object()})}),
    ],
)
def test_a_report_that_was_made_by_hand_is_judged_like_any_other(person, answers):
    reports = [*batch(), Report(ASKED.id, person, answers)]
    with pytest.warns(UserWarning, match="1 reports were refused; the first: report 10"):
        collected = hg.assemble(ASKED, reports)
    assert collected.reports.people.tolist() == list(range(10))
    assert "bob" not in str(collected.refused[0])


def test_zeros_may_be_left_out_only_where_nothing_is_randomised():
    for campaign in (SIGNS, VALUES):
        bad = good(5, campaign)
        bad["answers"]["features"] = {"level": 0, "columns": [], "values": []}
        given = [json.dumps(good(1, campaign)), json.dumps(bad)]
        with pytest.warns(UserWarning, match="report 1"):
            assert hg.assemble(campaign, given, edges=[[0], [1]]).reports.people.tolist() == [1]
    twice = good(5, PLAIN)
    twice["answers"]["features"] = {"level": 0, "columns": [0, 0], "values": [0.5, 0.6]}
    with pytest.warns(UserWarning, match="columns must be as many as values and rise"):
        hg.assemble(PLAIN, [json.dumps(good(1, PLAIN)), json.dumps(twice)], edges=[[0], [1]])


@pytest.mark.parametrize("value", [1e300, 3.4e38, 1e6])
def test_a_value_that_no_device_sends_is_refused(value):
    """Single precision, and 64 scales of the noise: 4 · 64 on a range of 1 for four features at ε = 1."""
    bad = good(5, VALUES)
    bad["answers"]["features"]["values"][2] = value
    given = [json.dumps(good(1, VALUES)), json.dumps(bad)]
    with pytest.warns(UserWarning, match="values must"):
        assert hg.assemble(VALUES, given, edges=[[0], [1]]).reports.people.tolist() == [1]
    reports, _ = hg.Reports.gather(VALUES, given[:1])
    rows = np.array([[0.5, 0.5, value, 0.5]])
    batch_ = hg.Reports(VALUES.id, (Answers("features", 0, np.array([3]), {"values": rows}),))
    with pytest.warns(UserWarning, match="values must"), pytest.raises(ValueError, match="no report"):
        hg.assemble(VALUES, batch_, edges=[[0], [1]])
    assert len(reports) == 1


def test_a_report_of_a_person_that_there_is_not_costs_itself_alone_however_people_are_split():
    campaign = hg.Campaign(classes=2, labels=hg.RandomizedResponse(1.0))
    given = [hg.answer(campaign, person, label=person % 2).to_json() for person in (0, 1, 2, 3, 99999)]
    with pytest.warns(UserWarning, match="people are numbered 0 to 3"):
        collected = hg.assemble(campaign, given, edges=[[0], [1]], num_people=4, split=0.25)
    assert (collected.train.size, collected.val.size) == (3, 1)


def test_a_bad_answer_does_not_evict_a_good_one():
    campaign = hg.Campaign(classes=2, labels=hg.RandomizedResponse(1.0), num_people=3)
    rows = Answers("label", 0, np.array([0, 1, 1]), {"label": np.array([0, 1, 9])})
    with pytest.warns(UserWarning, match="the report of person 1: label must lie in 0 … 1"):
        collected = hg.assemble(campaign, hg.Reports(campaign.id, (rows,)), edges=[[0], [1]])
    assert collected.labels.tolist() == [0, 1, -1]
    bad, good_one = (json.loads(hg.answer(campaign, 1, label=0).to_json()) for _ in range(2))
    bad["answers"]["label"]["label"] = 9
    with pytest.warns(UserWarning, match=r"report 0 \(person 1\): label must lie"):
        collected = hg.assemble(campaign, [bad, good_one], edges=[[0], [1]])
    assert collected.reports.people.tolist() == [1]


def test_whose_report_it_was_is_said_of_text_too():
    bad = good(4)
    bad["answers"]["label"]["label"] = "secret"
    for form in (bad, json.dumps(bad), json.dumps(bad).encode()):
        with pytest.warns(UserWarning, match=r"report 1 \(person 4\): label must be a whole number"):
            hg.assemble(ASKED, [json.dumps(good(1)), form])


def test_a_simulated_report_among_real_ones_is_refused_and_does_not_speak_for_them():
    real = [hg.answer(ASKED, person, label=1, levels={"label": 0}).to_json() for person in (1, 2)]
    with pytest.warns(UserWarning, match=r"report 2 \(person 5\): it is simulated, and most others are not"):
        collected = hg.assemble(ASKED, [*real, json.dumps(good(5))])
    assert not collected.guarantee.simulated
    assert collected.reports.people.tolist() == [1, 2]
