"""Reports as columns: a wrong form is refused as a whole, a wrong row alone."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.collection.asked import ASKED, VALUES, batch, good

import hushgraph as hg
from hushgraph.collection import Answers


def spoilt(reports, question, part, change):
    """The batch with one array changed."""
    answers = []
    for one in reports.answers:
        parts = {name: array.copy() for name, array in one.parts.items()}
        people = one.people.copy()
        if one.question == question:
            array = people if part == "people" else parts[part]
            array = change(array)
            people, parts = (array, parts) if part == "people" else (people, parts | {part: array})
        answers.append(Answers(one.question, one.level, people, parts))
    return hg.Reports(reports.campaign_id, tuple(answers), reports.simulated)


def put(place, value):
    def change(array):
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("question", "part", "change", "why", "whose"),
    [
        ("label", "label", put(3, 3), "label must lie in 0 … 2", 3),
        ("label", "label", put(0, -1), "label must lie in 0 … 2", 0),
        ("label", "people", put(2, 30), "people are numbered 0 to 29", 30),
        ("label", "people", put(2, -7), "people are numbered 0 to 29", -7),
        ("features", "columns", put((4, 1), 6), "columns must lie in 0 … 5", 4),
        ("features", "columns", lambda array: np.where(np.arange(10)[:, None] == 6, 2, array), "distinct", 6),
        ("features", "signs", put((9, 0), 0), "signs must be -1 or 1", 9),
        ("features", "people", put(8, 7), "features is answered twice; the first answer is kept", 7),
        ("lists", "names", put(0, 29), "names must rise", 0),
        ("lists", "names", put(-1, 9), "must not name its own person", 9),
        ("lists", "names", put(-1, 31), "names must lie in 0 … 29", 9),
    ],
)
def test_in_a_batch_the_rows_that_make_no_sense_are_refused_alone(question, part, change, why, whose):
    reports = batch()
    wrong = spoilt(reports, question, part, change)
    with pytest.warns(UserWarning, match="refused"):
        collected = hg.assemble(ASKED, wrong)
    (refusal,) = collected.refused
    assert (refusal.person, why in refusal.why) == (whose, True)
    kept = collected.reports.of_question(question)[0].people.size
    assert kept == 9
    # A refused person is out with everything; a second answer leaves the first.
    assert (whose in collected.reports.people) == ("twice" in why)


@pytest.mark.parametrize(
    ("question", "part", "change", "why"),
    [
        ("label", "label", lambda array: array[:-1], r"label must have shape \(10,\), got \(9,\)"),
        ("label", "label", lambda array: array.astype(float), "label must hold whole numbers"),
        ("label", "people", lambda array: array.astype(float), "people must hold whole numbers"),
        ("features", "columns", lambda array: array[:, :2], "columns must have shape"),
        ("features", "signs", lambda array: array.astype(str), "signs must hold whole numbers"),
        ("lists", "starts", lambda array: array[::-1], "starts must rise from 0"),
        ("lists", "starts", lambda array: array + 1, "starts must rise from 0"),
        ("lists", "names", lambda array: array[:-1], "names must have shape"),
    ],
)
def test_a_batch_of_the_wrong_form_is_refused_as_a_whole(question, part, change, why):
    with pytest.raises(ValueError, match=why):
        hg.assemble(ASKED, spoilt(batch(), question, part, change))


def test_a_batch_with_arrays_missing_or_for_another_campaign_or_level_is_refused():
    reports = batch()
    features, label, lists = reports.answers
    for answers, why in (
        ([Answers("features", 0, features.people, {"columns": features.parts["columns"]})], "arrays must be"),
        ([Answers("label", 7, label.people, label.parts)], "at level 7, which is not asked"),
        ([Answers("lists", 0, lists.people, {"names": lists.parts["names"]})], "arrays must be"),
        ([], "no report to learn from"),
    ):
        with pytest.raises(ValueError, match=why):
            hg.assemble(ASKED, hg.Reports(ASKED.id, tuple(answers)))
    with pytest.raises(ValueError, match="answer another campaign"):
        hg.assemble(VALUES, reports, edges=[[0], [1]])


def test_batches_survive_npz_and_json(tmp_path):
    reports = batch()
    reports.save(tmp_path / "r.npz")
    other, refused = hg.Reports.from_json(reports.to_json(), ASKED)
    assert refused == []
    for back in (hg.Reports.load(tmp_path / "r.npz"), other):
        assert [one.to_json() for one in back] == [one.to_json() for one in reports]
        assert back.simulated
    for spoil in (lambda whole: whole[:200], lambda _: b"", lambda _: b"no archive"):
        (tmp_path / "bad.npz").write_bytes(spoil((tmp_path / "r.npz").read_bytes()))
        with pytest.raises(ValueError, match="holds no readable reports"):
            hg.Reports.load(tmp_path / "bad.npz")


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, np.int8, np.int32])
def test_whole_numbers_of_any_kind_are_the_same(kind):
    reports = batch()
    for question, part in (("label", "people"), ("label", "label"), ("lists", "starts"), ("lists", "names")):
        same = spoilt(reports, question, part, lambda array: array.astype(kind))
        collected = hg.assemble(ASKED, same)
        assert [one.to_json() for one in collected.reports] == [one.to_json() for one in reports]
    with pytest.raises(ValueError, match="below 2⁶³"):
        hg.assemble(
            ASKED, spoilt(reports, "label", "people", lambda a: np.full(a.size, 2**64 - 1, np.uint64))
        )


def test_answers_stand_in_one_place_and_a_text_is_not_many_reports():
    label = batch().answers[1]
    with pytest.raises(ValueError, match="must stand in one place"):
        hg.Reports(ASKED.id, (label, label))
    with pytest.raises(TypeError, match="not one text"):
        hg.assemble(ASKED, json.dumps(good(1)))
    other = batch(VALUES).to_json()
    with pytest.raises(ValueError, match="answers another campaign"):
        hg.Reports.from_json(other, ASKED)


def test_starts_that_would_wrap_are_refused():
    wrapped = spoilt(batch(), "lists", "starts", lambda array: np.array([0, 100, -56, *range(8)], np.int8))
    with pytest.raises(ValueError, match="starts must rise from 0"):
        hg.assemble(ASKED, wrapped)
