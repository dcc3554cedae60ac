"""A batch of reports: one by one, as JSON, on disk."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.collection.asked import ASKED, SIGNS, batch

import hushgraph as hg


def same(one, other):
    return [report.to_json() for report in one] == [report.to_json() for report in other]


def test_it_says_how_many_answered_what_and_whether_it_was_simulated():
    assert repr(batch()) == "Reports(10 people: 10 with features, 10 with label, 10 with lists, simulated)"


def test_one_by_one_they_come_by_number_with_all_that_a_person_sent():
    reports = list(batch())
    assert [report.person for report in reports] == list(range(10))
    assert all(set(report.answers) == {"features", "label", "lists"} for report in reports)


def test_a_file_and_json_give_back_the_same_batch(tmp_path):
    reports = batch()
    reports.save(tmp_path / "reports.npz")
    assert same(hg.Reports.load(tmp_path / "reports.npz"), reports)
    again, refused = hg.Reports.from_json(reports.to_json(), ASKED)
    assert same(again, reports)
    assert refused == []


@pytest.mark.parametrize("rng", [np.random.default_rng(0), None], ids=["seed", "operating system"])
def test_a_report_as_json_says_whether_it_is_simulated(rng):
    report = hg.answer(SIGNS, 3, features=np.ones(4), rng=rng)
    assert hg.Report.from_json(report.to_json(), SIGNS).simulated == report.simulated == (rng is not None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 9}, "its format is not 1, which this version reads"),
        ({"campaign": SIGNS.id}, "it answers another campaign"),
        ({"reports": None}, "this is no batch of reports"),
    ],
)
def test_a_batch_of_another_format_or_campaign_is_refused_as_a_whole(change, message):
    document = json.loads(batch().to_json()) | change
    with pytest.raises(ValueError, match=message):
        hg.Reports.from_json(json.dumps(document), ASKED)


def test_what_is_no_json_is_no_batch():
    with pytest.raises(ValueError, match="this is no batch of reports"):
        hg.Reports.from_json("[" * 100_000, ASKED)


def test_a_file_that_is_not_there_is_told_from_one_that_is_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        hg.Reports.load(tmp_path / "reports.npz")
    batch().save(tmp_path / "reports.npz")
    whole = (tmp_path / "reports.npz").read_bytes()
    (tmp_path / "reports.npz").write_bytes(whole[:-100])
    with pytest.raises(ValueError, match=r"reports\.npz holds no readable reports"):
        hg.Reports.load(tmp_path / "reports.npz")
