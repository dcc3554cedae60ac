"""A device answers once, remembers it through anything, and spends no more than its person allows."""

import os
import signal
import sqlite3
import subprocess
import sys
from threading import Thread

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.wire import Wire
from hushgraph.device import Record, Reporter

CLASSES = ["calm", "merry"]


def asked(name="spring", epsilon=1.0, **more):
    # All fifty are answered: another answer would hardly be the same one by chance.
    features = hg.MultiBit(epsilon, m=50)
    return hg.Campaign(
        name=name, classes=CLASSES, num_features=50, features=features, labels=hg.RandomizedResponse(epsilon),
        num_people=100, **more,
    )  # fmt: skip


@pytest.fixture
def path(tmp_path):
    return tmp_path / "our device.sqlite"


def bodies(device, campaign, times=1):
    return {device.answer(campaign, 3, features=np.zeros(50), label="calm").body for _ in range(times)}


def test_a_second_answer_is_the_first_answer(path):
    """For ever: asked again, of other values, by another process."""
    (first,) = bodies(Reporter(path, epsilon=3.0), asked(), times=5)
    again = Reporter(path, epsilon=3.0)
    assert again.answer(asked(), 3, features=np.ones(50), label="merry").body == first
    assert again.spent == (2.0, 0.0)
    assert len({next(iter(bodies(Reporter(epsilon=3.0), asked()))) for _ in range(200)}) > 1


def test_the_answer_is_a_report_to_the_campaign():
    device = Reporter(epsilon=9.0)
    record = device.answer(asked(), 3, features=np.zeros(50), label="calm")
    report = Wire(asked()).decode(record.body)
    assert (report.person, report.simulated, record.state) == (3, False, "answered")
    assert record.epsilon == asked().guarantee.epsilon == 2.0
    assert device.answer(asked("only a label"), 3, label="calm").epsilon == 1.0


def test_the_answer_has_the_probabilities_of_the_mechanism():
    """Randomised response at ε = 1 over two classes, with a false-alarm rate of 10⁻⁹."""
    campaign = hg.Campaign(classes=2, labels=hg.RandomizedResponse(1.0), num_people=9)
    wire = Wire(campaign)
    kept = sum(
        int(
            wire.decode(Reporter(epsilon=1.0).answer(campaign, 0, label=1).body)
            .answers["label"]
            .parts["label"]
        )
        for _ in range(2_000)
    )
    p = campaign.labels[0].keep_probability
    assert abs(kept - 2_000 * p) < 6.2 * (2_000 * p * (1 - p)) ** 0.5


def test_over_all_campaigns_no_more_is_spent_than_is_allowed(path):
    device = Reporter(path, epsilon=3.0)
    bodies(device, asked("spring"))
    with pytest.raises(hg.BudgetExceededError, match=r"summer: .* epsilon 4 > 3"):
        bodies(device, asked("summer"))
    assert device.answer(asked("summer"), 3, label="calm").epsilon == 1.0
    assert Reporter(path, epsilon=3.0).spent == (3.0, 0.0)


def test_delta_has_a_cap_too():
    campaign = hg.Campaign(
        classes=2, num_features=2, features=hg.AnalyticGaussian(1.0, 1e-6), num_people=9, name="gauss"
    )
    with pytest.raises(hg.BudgetExceededError, match="delta 1e-06 > 0"):
        Reporter(epsilon=5.0).answer(campaign, 0, features=[0.0, 1.0])
    assert Reporter(epsilon=5.0, delta=1e-6).answer(campaign, 0, features=[0.0, 1.0]).delta == 1e-6


def test_a_tenth_ten_times_is_one():
    device = Reporter(epsilon=1.0)
    for name in range(10):
        device.answer(asked(str(name), 0.1), 3, label="calm")
    with pytest.raises(hg.BudgetExceededError):
        device.answer(asked("more", 1e-6), 3, label="calm")


def test_what_is_not_protected_needs_a_cap_that_allows_it():
    campaign = asked("open", float("inf"))
    with pytest.raises(hg.BudgetExceededError, match="epsilon inf > 4"):
        Reporter(epsilon=4.0).answer(campaign, 3, label="calm")
    assert Reporter(epsilon=float("inf")).answer(campaign, 3, label="merry").epsilon == float("inf")


def test_a_list_costs_its_friendship_at_both_ends():
    campaign = hg.Campaign(
        classes=2, labels=hg.RandomizedResponse(1.0), lists=hg.AdjacencyRandomizedResponse(2.0), num_people=9
    )
    device = Reporter(epsilon=4.0)
    assert device.answer(campaign, 0, label=0, friends=[1, 2]).epsilon == 4.0 == campaign.guarantee.epsilon


def test_own_level():
    campaign = hg.Campaign(
        classes=2, labels=[hg.RandomizedResponse(0.5), hg.RandomizedResponse(2.0)], num_people=9
    )
    device = Reporter(epsilon=1.0)
    with pytest.raises(ValueError, match="levels must say"):
        device.answer(campaign, 0, label=1)
    with pytest.raises(hg.BudgetExceededError):
        device.answer(campaign, 0, label=1, levels={"label": 1})
    assert device.answer(campaign, 0, label=1, levels={"label": 0}).epsilon == 0.5


def test_changed_terms_are_refused():
    campaign = asked()
    changed = campaign.to_json().replace('"epsilon":1', '"epsilon":2', 1)
    assert hg.Campaign.from_json(campaign.to_json(), id=campaign.id) == campaign
    for terms in (changed, campaign.to_json() + " ", campaign.to_json().replace(":", ": ")):
        with pytest.raises(ValueError, match="not the terms of that campaign"):
            hg.Campaign.from_json(terms, id=campaign.id)


def test_the_same_campaign_for_somebody_else_is_refused():
    device = Reporter(epsilon=9.0)
    bodies(device, asked())
    with pytest.raises(ValueError, match="another person"):
        device.answer(asked(), 4, label="calm")


def test_after_forgetting_there_is_no_second_answer(path):
    device = Reporter(path, epsilon=9.0)
    bodies(device, asked())
    assert device.forget(asked().id).state == "forgotten"
    assert device.forget(asked().id).body is None
    with pytest.raises(ValueError, match="forgotten on this device"):
        bodies(device, asked())
    with pytest.raises(ValueError, match="nothing to send"):
        device.send(asked().id, "http://localhost:1", "0.token")
    assert device.spent == (2.0, 0.0)


def test_what_is_forgotten_is_overwritten(path):
    device = Reporter(path, epsilon=9.0)
    campaign = hg.Campaign(classes=2, num_features=4000, features=hg.OneBit(1.0), num_people=9)
    body = device.answer(campaign, 0, features=np.zeros(4000)).body
    assert body[100:200] in path.read_bytes()
    device.forget(campaign.id)
    left = path.read_bytes()
    assert not any(body[place : place + 8] in left for place in range(100, len(body) - 8))


def test_nobody_answers_while_somebody_else_looks_whether_they_may(path):
    device = Reporter(path, epsilon=2.0)
    answered = []
    other = Thread(target=lambda: answered.extend(bodies(Reporter(path, epsilon=2.0), asked())))
    with device._file.records() as records:
        assert records.get(asked().id) is None
        other.start()
        other.join(timeout=0.3)
        assert not answered
        body = Wire(asked()).encode(hg.answer(asked(), 3, label="calm"))
        records.add(Record(asked().id, "spring", 3, body, 1.0, 0.0, "now", "answered"))
    other.join()
    assert answered == [body]


def test_what_was_withdrawn_meanwhile_is_not_sent_again(path):
    """Whoever is slower does not bring back what is gone."""
    device = Reporter(path, epsilon=9.0)
    bodies(device, asked())
    for state in ("sent", "forgotten", "withdrawn"):
        device._change(asked().id, state)
        assert device._change(asked().id, "sent").state == state
    assert device.record(asked().id).body is None


def test_only_its_owner_may_read_what_a_device_remembers(path):
    Reporter(path, epsilon=9.0)
    assert path.stat().st_mode & 0o777 == 0o600


def test_terms_that_no_device_can_hold_are_refused():
    terms = asked().to_json().replace('"num_features":50', '"num_features":1000000000000')
    with pytest.raises(ValueError, match="at most 10,000,000"):
        hg.Campaign.from_json(terms)


def test_an_opted_out_campaign_is_never_answered():
    device = Reporter(epsilon=9.0)
    assert device.opt_out(asked()).state == device.opt_out(asked()).state == "opted out"
    with pytest.raises(ValueError, match="opted out"):
        bodies(device, asked())
    assert device.spent == (0.0, 0.0)
    bodies(device, asked("summer"))
    with pytest.raises(ValueError, match="withdraw"):
        device.opt_out(asked("summer"))


@pytest.mark.parametrize(
    "odd",
    [
        {"features": [2.0] + [0.0] * 49},
        {"features": [float("nan")] + [0.0] * 49},
        {"label": "angry"},
        {"label": 7},
    ],
)
def test_an_odd_value_is_answered_or_refused_as_the_person_likes(odd):
    assert Reporter(epsilon=9.0).answer(asked(), 3, **odd).body
    careful = Reporter(epsilon=9.0, out_of_range="refuse")
    with pytest.raises(ValueError, match="must") as told:
        careful.answer(asked(), 3, **odd)
    assert "2.0" not in str(told.value)
    assert "angry" not in str(told.value)
    assert careful.spent == (0.0, 0.0), "what was refused has cost nothing"


def test_whoever_refuses_is_told_no_value_and_answers_what_is_in_range():
    careful = Reporter(epsilon=9.0, out_of_range="refuse")
    with pytest.raises(ValueError, match="feature 0 must lie") as told:
        careful.answer(asked(), 3, features=["secret", *[0.0] * 49])
    assert "secret" not in str(told.value)
    narrow = hg.Campaign(classes=2, num_features=2, features=hg.OneBit(1.0, high=0.1), num_people=9)
    assert careful.answer(narrow, 0, features=np.array([0.0, 0.1], np.float32)).body
    lists = hg.Campaign(classes=2, lists=hg.AdjacencyRandomizedResponse(2.0), num_people=4)
    assert careful.answer(lists, 0, friends=np.array([False, True, False, True])).body


def test_unknown_friends_are_left_out_or_refused():
    campaign = hg.Campaign(classes=2, lists=hg.AdjacencyRandomizedResponse(2.0), num_people=9)
    assert Reporter(epsilon=9.0).answer(campaign, 0, friends=[1, 99, 0]).body
    for friends in ([1, 99], [0, 1], [1, 1], [1.5]):
        with pytest.raises(ValueError, match="friends must"):
            Reporter(epsilon=9.0, out_of_range="refuse").answer(campaign, 0, friends=friends)
    assert Reporter(epsilon=9.0, out_of_range="refuse").answer(campaign, 0, friends=[8, 1]).body


def test_a_mistake_in_the_form_costs_nothing(path):
    device = Reporter(path, epsilon=9.0)
    for mistake in ({"features": [0.0]}, {"label": ["calm"]}, {}, {"label": "calm", "levels": {"label": 3}}):
        with pytest.raises((ValueError, TypeError)):
            device.answer(asked(), 3, **mistake)
    assert device.records == []


ANSWERING = """
import sys
from threading import Thread
import numpy as np
import hushgraph as hg
from hushgraph.device import Record, Reporter
campaign = hg.Campaign.from_json(sys.argv[2])
device = Reporter(sys.argv[1], epsilon=2.0)
sys.stdin.readline()
try:
    record = device.answer(campaign, 3, features=np.zeros(50), label="calm")
    print(record.body.hex(), flush=True)
except hg.BudgetExceededError:
    print("refused", flush=True)
sys.stdin.readline()
"""


def answering(path, campaign):
    words = [sys.executable, "-c", ANSWERING, str(path), campaign.to_json()]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def together(processes):
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.stdout.readline().strip() for process in processes]
    for process in processes:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    return said


def test_a_device_killed_between_writing_and_sending_gives_the_same_answer(path):
    (said,) = together([answering(path, asked())])
    assert bodies(Reporter(path, epsilon=2.0), asked()) == {bytes.fromhex(said)}


def test_two_at_once_give_one_answer(path):
    Reporter(path, epsilon=2.0)
    assert len(set(together([answering(path, asked()) for _ in range(3)]))) == 1


def test_two_at_once_do_not_spend_more_than_is_allowed(path):
    Reporter(path, epsilon=2.0)
    said = together([answering(path, asked(name)) for name in ("spring", "summer", "autumn")])
    assert said.count("refused") == 2
    assert Reporter(path, epsilon=2.0).spent == (2.0, 0.0)


def test_a_file_that_is_none_is_refused(tmp_path):
    (tmp_path / "text").write_text("hello " * 1000)
    with pytest.raises(ValueError, match="not a readable device's record"):
        Reporter(tmp_path / "text", epsilon=1.0).spent  # noqa: B018
    sqlite3.connect(tmp_path / "other").execute("CREATE TABLE t (x)").connection.close()
    with pytest.raises(ValueError, match="is not a device's record"):
        Reporter(tmp_path / "other", epsilon=1.0).spent  # noqa: B018


def test_no_token_goes_out_without_tls_or_to_another_place():
    device = Reporter(epsilon=9.0)
    bodies(device, asked())
    for server in ("http://example.org", "ftp://example.org", "example.org", "https://example.org?x=1"):
        with pytest.raises(ValueError, match=r"TLS|address"):
            device.send(asked().id, server, "0.token", tries=1)
