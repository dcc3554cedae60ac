"""Audits of devices and of what arrives of them at a server."""

from __future__ import annotations

import re
import sys
import time
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from audit_bugs import devices as planted

import hushgraph as hg
from hushgraph.audit import Commanded, answering, audit_campaign, audit_device, audit_friendship, reporting
from hushgraph.audit.arriving import views
from hushgraph.collection.wire import Wire

ASKED = hg.Campaign(
    classes=3, num_features=4, features=[hg.MultiBit(1.0), hg.MultiBit(4.0)],
    labels=hg.RandomizedResponse(1.0), lists=hg.AdjacencyRandomizedResponse(1.0), num_people=6,
)  # fmt: skip
LABEL = {"label": 0}, {"label": 2}


@pytest.mark.parametrize("bug", planted.DEVICE_BUGS, ids=lambda bug: bug.name)
def test_a_device_that_tells_more_than_was_promised_is_found(bug):
    found = bug.wrong(1)
    assert not found.passed, str(found)


@pytest.mark.parametrize(
    "bug", [planted.DEVICE_BUGS[place] for place in (0, 1, 7)], ids=["memory", "both questions", "friendship"]
)
def test_a_right_device_passes_and_is_seen(bug):
    found = bug.right(1)
    assert found.passed, str(found)
    assert found.lower_bound > 0.3 * found.epsilon


def test_a_campaign_is_audited_question_by_question_level_by_level_and_as_a_whole():
    shares = []
    found = audit_campaign(
        ASKED, device=answering(np.random.default_rng(0)), times=1, trials=400, progress=shares.append
    )
    assert [(one.subject, one.epsilon) for one in found] == [
        ("features, level 0", 1.0), ("features, level 1", 4.0), ("label", 1.0), ("lists", 1.0),
        ("everything at once", 6.0), ("one friendship, in both lists", 2.0),
    ]  # fmt: skip
    assert all(one.passed for one in found), "\n".join(map(str, found))
    assert all(one.confidence == pytest.approx(1 - 0.05 / 6) for one in found)
    assert shares[-1] == 1.0


def test_a_reporter_gives_its_first_answer_again():
    """It is called wrong with a probability below 10⁻³: its randomness is secure, and cannot be seeded."""
    asked = hg.Campaign(classes=2, labels=hg.RandomizedResponse(2.0))
    found = audit_device(asked, {"label": 0}, {"label": 1}, times=6, trials=150, confidence=0.999)
    assert found.passed, str(found)


def test_a_reporter_that_forgets_is_found_by_asking_it_again():
    fresh = answering(np.random.default_rng(0))

    class Forgets:
        def answer(self, campaign, person, *, levels, **held):
            ((body,),) = fresh(campaign, [person], held, levels, 1)
            return SimpleNamespace(body=body)

    asked = hg.Campaign(classes=2, labels=hg.RandomizedResponse(2.0))
    found = audit_device(asked, {"label": 0}, {"label": 1}, device=reporting(Forgets), times=6, trials=400)
    assert not found.passed, str(found)


def test_a_memory_is_asked_of_all_but_those_who_need_none():
    asked = hg.Campaign(classes=2, labels=hg.RandomizedResponse(1.0))
    fresh = answering(np.random.default_rng(0))
    (alone,) = audit_campaign(asked, device=fresh, times=1, trials=100)
    assert alone.subject == "label"
    once, eight_times, memory = audit_campaign(asked, device=fresh, trials=400)
    assert (once.passed, eight_times.passed, memory.passed) == (True, False, False)
    assert [one.subject for one in audit_campaign(asked, trials=100)] == [
        "label",
        "everything, asked 8 times",
        "the first answer again",
    ]


def test_who_forgets_is_found_at_a_budget_that_no_bound_reaches():
    """With probability e^-6 a label is answered otherwise: few devices do, and one is enough."""
    asked = hg.Campaign(classes=2, labels=hg.RandomizedResponse(6.0))
    fresh = answering(np.random.default_rng(0))
    *bounds, memory = audit_campaign(asked, device=fresh, trials=400)
    assert all(one.passed for one in bounds)
    assert not memory.passed
    assert re.match(
        r"the first answer again: \d+ of 800 devices gave another answer: the promise is", str(memory)
    )
    *_, memory = audit_campaign(asked, trials=400)
    assert memory.passed
    assert memory.measured == "0 of 800 devices gave another answer"


def test_questions_with_the_same_value_cost_nothing():
    held = {"features": np.zeros(4)}
    found = audit_device(
        ASKED, {**held, "label": 0}, {**held, "label": 1}, device=answering(np.random.default_rng(0)),
        trials=100,
    )  # fmt: skip
    assert (found.subject, found.epsilon) == ("label", 1.0)


def test_a_collector_that_adds_what_it_should_not_have_is_found():
    """Bytes that a report does not need, and that a server could read."""

    def marked(campaign, sent):
        wire = Wire(campaign)
        for body in sent:
            report = wire.decode(body)
            yield wire.encode(hg.Report(report.campaign_id, report.person % 2, report.answers, False))

    asked = hg.Campaign(classes=3, labels=hg.RandomizedResponse(1.0))
    device = answering(np.random.default_rng(0))
    assert audit_device(asked, *LABEL, device=device, collector=marked, trials=500).passed

    def half(campaign, sent):
        return list(sent)[::2]

    with pytest.raises(ValueError, match="must give back every report"):
        audit_device(asked, *LABEL, device=device, collector=half, trials=500)


DEVICE = """
import json, sys
import numpy as np
import hushgraph as hg
from hushgraph.audit.arriving import views
from hushgraph.collection.wire import Wire
rng = np.random.default_rng(0)
for line in sys.stdin:
    asked = json.loads(line)
    campaign = hg.Campaign.from_json(asked["terms"], id=asked["id"])
    told = []
    for one in asked["answers"]:
        reports = [hg.answer(campaign, one["person"], **one["held"], rng=rng) for _ in range(one["times"])]
        told.append([Wire(campaign).encode(report).hex() for report in reports])
    print(json.dumps(told))
"""


def test_any_device_is_a_command_that_answers_lines_of_json(tmp_path):
    (tmp_path / "device.py").write_text(DEVICE)
    command = f"{sys.executable} {tmp_path / 'device.py'}"
    asked = hg.Campaign(classes=3, labels=hg.RandomizedResponse(2.0))
    found = audit_device(asked, *LABEL, device=Commanded(command), trials=500)
    assert found.passed, str(found)
    assert found.lower_bound > 0.5


@pytest.mark.parametrize(
    ("said", "why"),
    [("raise SystemExit('no')", "no"), ("pass", "it said nothing"), ("print('{\"error\": \"odd\"}')", "odd"),
     ("print('[[]]')", "did not answer 1 times"), ("print('null')", "must answer with a list for each"),
     ("print('hello')", r"device\.py' must answer with a list for each person, of hexadecimal, as JSON")],
)  # fmt: skip
def test_a_command_that_does_not_answer_is_told(said, why, tmp_path):
    (tmp_path / "device.py").write_text(said)
    command = Commanded(f"{sys.executable} {tmp_path / 'device.py'}")
    with pytest.raises(ValueError, match=why):
        audit_device(hg.Campaign(classes=3, labels=hg.RandomizedResponse(1.0)), *LABEL, device=command)


def test_a_command_that_hangs_is_ended_and_told(tmp_path):
    (tmp_path / "device.py").write_text("import time; time.sleep(60)")
    command = Commanded(f"{sys.executable} {tmp_path / 'device.py'}", seconds=0.5)
    with pytest.raises(ValueError, match=r"did not end within 0\.5 seconds"):
        audit_device(hg.Campaign(classes=3, labels=hg.RandomizedResponse(1.0)), *LABEL, device=command)


def test_what_a_command_started_is_ended_with_it(tmp_path):
    """A shell is what was started; what it waits for would write on for half a minute."""
    (tmp_path / "device.sh").write_text("for beat in $(seq 300); do echo $beat >> beats; sleep 0.1; done")
    with pytest.raises(ValueError, match="did not end within 1 seconds"):
        Commanded(f"sh -c 'cd {tmp_path}; sh device.sh; true'", 1.0)(ASKED, [0], LABEL[0], {"label": 0}, 1)
    written = (tmp_path / "beats").read_text()
    time.sleep(0.5)
    assert (tmp_path / "beats").read_text() == written


def test_a_command_has_a_word():
    with pytest.raises(ValueError, match="command must be what starts the device, got ' '"):
        Commanded(" ")


def test_a_device_is_asked_and_answers_for_everybody():
    asked = hg.Campaign(classes=3, labels=hg.RandomizedResponse(1.0))
    with pytest.raises(ValueError, match="times must be a whole number ≥ 1, got 0"):
        audit_device(asked, *LABEL, times=0)
    with pytest.raises(ValueError, match="times must be a whole number ≥ 1, got 0"):
        audit_campaign(asked, times=0)
    with pytest.raises(ValueError, match="must answer for each of 100 people, got 0"):
        audit_device(asked, *LABEL, device=lambda *_: [], trials=100)


def test_a_confidence_that_is_none_is_refused():
    asked = hg.Campaign(classes=3, labels=hg.RandomizedResponse(1.0))
    for audit in (audit_campaign, audit_friendship, partial(audit_device, one=LABEL[0], other=LABEL[1])):
        with pytest.raises(ValueError, match=r"confidence must lie in \(0, 1\)"):
            audit(asked, confidence=1.0)


def test_numbers_say_which_questions_were_answered():
    wire = Wire(ASKED)
    report = hg.answer(ASKED, 3, label=1, rng=np.random.default_rng(0))
    ((row,), _), _ = views(ASKED, [[wire.encode(report)]], [[wire.encode(report)]], [])
    assert row.tolist() == [4, 0, 1, 0, report.answers["label"].parts["label"]]


def test_values_of_different_questions_cannot_be_compared():
    with pytest.raises(ValueError, match="values for the same questions"):
        audit_device(ASKED, {"label": 0}, {"features": np.zeros(4)})


def test_friendships_have_the_promise_of_their_level():
    levels = hg.Campaign(
        classes=2, lists=[hg.AdjacencyRandomizedResponse(epsilon) for epsilon in (0.5, 2.0)], num_people=4
    )
    device = answering(np.random.default_rng(0))
    assert [audit_friendship(levels, device=device, level=one, trials=100).epsilon for one in (0, 1)] == [
        2.5,
        4.0,
    ]
