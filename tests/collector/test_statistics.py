"""What the dashboard shows: unbiased, with intervals that hold as often as they say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.collector.playing import Admin, batch, campaign, report

import hushgraph as hg
from hushgraph.collection.wire import Wire
from hushgraph.collection.wire_batch import decode_all
from hushgraph.collector.sums import Sums

PEOPLE = 400
LEVELS: dict[str, Any] = {
    "features": [hg.MultiBit(1.0), hg.MultiBit(4.0)],
    "labels": [hg.RandomizedResponse(0.5), hg.RandomizedResponse(3.0)],
    "lists": [hg.AdjacencyRandomizedResponse(6.0), hg.AdjacencyRandomizedResponse(8.0)],
}


def _truth(asked: hg.Campaign, rng: np.random.Generator) -> tuple[Any, Any, list[Any]]:
    features = rng.random((PEOPLE, asked.num_features)) * np.linspace(0.2, 1, asked.num_features)
    labels = rng.choice(3, PEOPLE, p=[0.6, 0.3, 0.1])
    friends = [np.delete(np.arange(PEOPLE), who)[: 3 + who % 5] for who in range(PEOPLE)]
    return features, labels, friends


def _sent(asked: hg.Campaign, truth: Any, rng: np.random.Generator) -> list[bytes]:
    features, labels, friends = truth
    wire = Wire(asked)
    return [
        wire.encode(
            hg.answer(
                asked, who, features=features[who], label=int(labels[who]), friends=friends[who], rng=rng,
                levels={question: who % len(asked.levels(question)) for question in asked.asked},
                public_columns=True,
            )
        )
        for who in range(PEOPLE)
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "features",
    [
        [hg.MultiBit(1.0), hg.MultiBit(4.0)],
        [hg.OneBit(3.0), hg.OneBit(6.0)],
        [hg.Laplace(3.0), hg.Laplace(9.0)],
    ],
)
def test_estimates_are_unbiased_and_intervals_hold(features: Any) -> None:
    """12 collections of the same truth: 95 % intervals of 8 features, 3 classes and the mean degree.

    An interval for the mean of those who answered is wide enough in at least 95 % of cases, as it allows for
    others who might have. Were the 144 independent, more than 28 misses would have a chance below 1e-9; a
    mean of 12 that is more than five of its standard errors off has one below 1e-5.
    """
    asked = campaign(people=PEOPLE, num_features=8, **LEVELS | {"features": features})
    rng = np.random.default_rng(5)
    truth = _truth(asked, rng)
    expected = np.concatenate([
        truth[0].mean(axis=0), np.bincount(truth[1], minlength=3) / PEOPLE,
        [np.mean([len(one) for one in truth[2]])],
    ])  # fmt: skip
    found, half_widths = [], []
    for _ in range(12):
        sums = Sums(asked)
        sums.add(decode_all(asked, _sent(asked, truth, rng))[0])
        parts = [sums.features(), sums.classes()]
        friends = sums.mean_friends()
        assert friends is not None
        found.append(np.concatenate([*(part[0] for part in parts if part), [friends["value"]]]))
        half_widths.append(np.concatenate([*(part[1] for part in parts if part), [friends["half_width"]]]))
    misses = np.abs(np.array(found) - expected) > np.array(half_widths)
    assert misses.sum() <= 28
    off = np.abs(np.mean(found, axis=0) - expected) / (np.mean(half_widths, axis=0) / 1.96 / math.sqrt(12))
    assert off.max() < 5


def test_ranges_of_features_are_given_back() -> None:
    ranges = [(0.0, 100.0), (-1.0, 1.0)]
    asked = campaign(people=PEOPLE, num_features=2, features=hg.Laplace(50.0), labels=None, ranges=ranges)
    wire = Wire(asked)
    values = [30.0, 0.5]
    sums, rng = Sums(asked), np.random.default_rng(6)
    answers = [hg.answer(asked, who, features=values, rng=rng) for who in range(PEOPLE)]
    sums.add(decode_all(asked, map(wire.encode, answers))[0])
    estimated = sums.features()
    assert estimated is not None
    assert (np.abs(estimated[0] - values) < 2 * estimated[1]).all()
    assert 20 < estimated[1][0] / estimated[1][1] < 80


def test_the_document_has_what_the_dashboard_shows(admin: Admin, asked: hg.Campaign) -> None:
    asked = campaign(people=PEOPLE, num_features=60, name=asked.name, **LEVELS)
    tokens = admin.started(asked)
    empty = admin.get(asked, "/statistics").json()
    assert (empty["reports"], empty["classes"], empty["features"], empty["over_time"]) == (0, [], [], [])
    assert empty["mean_friends"] is None
    rng = np.random.default_rng(1)
    sent = _sent(asked, _truth(asked, rng), rng)[:300]
    told = admin.send_batch(asked, batch(list(zip(tokens.values(), sent, strict=False)))).json()
    assert told["kept"] == 300
    for person in range(10):
        admin.withdraw(asked, tokens[person])
    shown = _fresh(admin, asked, 290)
    assert {name: shown[name] for name in ("id", "name", "state", "num_people", "reports", "withdrawn")} == {
        "id": asked.id, "name": asked.name, "state": "open", "num_people": PEOPLE, "reports": 290,
        "withdrawn": 10,
    }  # fmt: skip
    assert shown["simulated"] == 290
    assert shown["over_time"][-1]["reports"] == 290
    assert [one["name"] for one in shown["classes"]] == list(asked.classes)
    assert math.isclose(sum(one["share"] for one in shown["classes"]), 1)
    assert (shown["num_features"], len(shown["features"])) == (60, 50)
    assert (shown["labels"], shown["features_from"], shown["lists_from"]) == (290, 290, 290)
    assert shown["levels"]["label"] == [
        {"epsilon": 0.5, "delta": 0.0, "people": 145},
        {"epsilon": 3.0, "delta": 0.0, "people": 145},
    ]
    assert shown["guarantee"] == str(asked.guarantee)
    error = shown["expected_error"]
    assert error["now"] == 290
    assert math.isclose(error["at_everybody"]["classes"], error["classes"] * math.sqrt(290 / PEOPLE))


def test_counts_are_those_of_the_figures_and_the_state_is_of_now(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    assert admin.get(asked, "/statistics").json()["reports"] == 0
    for person in range(30):
        admin.send(asked, tokens[person], report(asked, person))
    admin.withdraw(asked, tokens[0])
    admin.post(asked, "close")
    shown = admin.get(asked, "/statistics").json()
    assert shown["state"] == "closed"
    assert (shown["reports"], shown["over_time"], shown["labels"]) in (
        (0, [], 0),
        (29, shown["over_time"], 29),
    )
    fresh = _fresh(admin, asked, 29)
    assert (fresh["withdrawn"], fresh["over_time"][-1]["reports"]) == (1, 29)


def _fresh(admin: Admin, asked: hg.Campaign, reports: int) -> dict[str, Any]:
    """Figures may be some seconds old; the counts are those of the figures."""
    import time

    for _ in range(100):
        shown: dict[str, Any] = admin.get(asked, "/statistics").json()
        assert shown["labels"] == shown["reports"]
        if shown["reports"] == reports:
            return shown
        time.sleep(0.1)
    raise AssertionError("the figures did not follow the reports")


def test_without_privacy_an_interval_is_that_of_a_sample() -> None:
    asked = campaign(
        people=PEOPLE, num_features=1, features=hg.MultiBit(math.inf), labels=hg.RandomizedResponse(math.inf)
    )
    rng = np.random.default_rng(2)
    values, labels = rng.random(PEOPLE), rng.choice(3, PEOPLE)
    wire = Wire(asked)
    bodies = [
        wire.encode(hg.answer(asked, who, features=values[who : who + 1], label=int(labels[who])))
        for who in range(PEOPLE)
    ]
    sums = Sums(asked)
    sums.add(decode_all(asked, bodies)[0])
    features, classes = sums.features(), sums.classes()
    assert features is not None
    assert classes is not None
    assert math.isclose(features[0][0], values.mean(), rel_tol=1e-5)
    assert math.isclose(features[1][0], 1.96 * values.std() / math.sqrt(PEOPLE), rel_tol=1e-3)
    assert np.allclose(classes[0], np.bincount(labels) / PEOPLE)


def test_half_widths_shrink_as_answers_come() -> None:
    asked = campaign(people=PEOPLE, num_features=8, **LEVELS)
    rng = np.random.default_rng(3)
    sent = _sent(asked, _truth(asked, rng), rng)
    widths = []
    for count in (2, 20, 100, 400):
        sums = Sums(asked)
        sums.add(decode_all(asked, sent[:count])[0])
        features, classes = sums.features(), sums.classes()
        assert features is not None
        assert classes is not None
        widths.append((features[1].mean(), classes[1].mean()))
    assert (np.diff(np.array(widths), axis=0) < 0).all()
