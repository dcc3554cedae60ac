"""Python and JavaScript send the same bytes for the same words, whatever is asked and whatever is held."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest
from tests.js.node_device import Written, asked, said

import hushgraph as hg
from hushgraph.collection.wire import Wire

WORDS = 1 << 64
BUDGETS = [1e-6, 0.01, 0.1, 0.5, 1.0, 1.1, 2.0, 3.05, 3.1, 4.4, 8.0, 11.0, 30.0, 44.4, 63.9, 64.0, 700.0, 1e6]
RANGES = [(0.0, 1.0), (-1.0, 1.0), (-0.1, 0.2), (2.0, 5.5), (-1e-3, 1e6), (-7.0, 0.0)]
ODD = [
    math.nan,
    math.inf,
    -math.inf,
    None,
    "x",
    "0.25",
    " 1e-1 ",
    "-inf",
    True,
    10**400,
    -(10**400),
    -0.0,
    5e-324,
]
FEATURES = {
    "multi-bit": hg.MultiBit,
    "paper": lambda epsilon, low, high: hg.MultiBit(epsilon, low, high, m="paper"),
    "all": lambda epsilon, low, high: hg.MultiBit(epsilon, low, high, m=3),
    "one-bit": hg.OneBit,
    "laplace": hg.Laplace,
    "gaussian": lambda epsilon, low, high: hg.AnalyticGaussian(epsilon, 1e-6, low, high),
}


def levels_of(rng, make):
    """One level or several, or values as they are."""
    many = int(rng.integers(1, 4))
    budgets = [math.inf] if rng.random() < 0.1 else sorted(rng.choice(BUDGETS, many, replace=False).tolist())
    made = []
    for budget in budgets:
        try:
            made.append(make(budget))
        except (ValueError, ArithmeticError):
            continue
    return made


def a_campaign(rng, number, name):
    """Any of those that there may be, or None for a budget that a mechanism refuses."""
    d = int(rng.choice([3, 5, 8, 9, 40]))
    low, high = RANGES[rng.integers(len(RANGES))]
    own = [tuple(sorted(rng.normal(0, 10, 2).tolist())) for _ in range(d)] if rng.random() < 0.4 else None
    lists = rng.random() < 0.5
    try:
        return hg.Campaign(
            name=f"{name} {number}",
            classes=int(rng.choice([2, 3, 7, 128, 300])),
            num_features=d,
            features=levels_of(rng, lambda epsilon: FEATURES[name](epsilon, low, high)),
            labels=levels_of(rng, hg.RandomizedResponse) if rng.random() < 0.7 else None,
            lists=levels_of(rng, hg.AdjacencyRandomizedResponse) if lists else None,
            num_people=int(rng.choice([160, 1000, 20_000])) if lists or rng.random() < 0.5 else None,
            feature_names=[f"ß{column}" for column in range(d)] if rng.random() < 0.3 else None,
            ranges=own,
        )
    except ValueError:
        return None


def a_value(rng, low, high):
    """Ordinary, at an end, just outside, or none at all."""
    kind = rng.random()
    if kind < 0.5:
        return float(rng.uniform(low, high))
    if kind < 0.8:
        return float(rng.choice([low, high, math.nextafter(low, high), math.nextafter(high, math.inf), -0.0]))
    return ODD[rng.integers(len(ODD))]


def first_words(rng, campaign):
    """Some words at which answers turn, where one that is too large by one shows."""
    turning = {0, 1, 1 << 63, (1 << 63) - 1, WORDS - 1}
    for mechanism in (*campaign.labels, *campaign.lists):
        if math.isfinite(mechanism.epsilon):
            own = mechanism.probability(1, 0) * WORDS
            turning |= {int(own) - 1, int(own), int((1 - own / WORDS) ** 3 * WORDS)}
    words = sorted(turning)
    return [words[place] for place in rng.permutation(len(words))[: rng.integers(0, 4)]]


def an_answer(rng, campaign, number):
    """What somebody holds and draws."""
    person = int(rng.integers(campaign.num_people or 2**40))
    held, levels = {}, {}
    if campaign.features:
        own = campaign.features[0]
        ranges = campaign.ranges or [(own.low, own.high)] * campaign.num_features
        held["features"] = [a_value(rng, low, high) for low, high in ranges]
    if campaign.labels:
        classes = campaign.classes
        held["label"] = [classes[-1], 0, 1.0, -1, "no such class", 0.5, 10**400, True][rng.integers(8)]
    if campaign.lists:
        held["friends"] = [int(one) for one in rng.integers(-2, campaign.num_people + 2, rng.integers(0, 30))]
        held["friends"] += [None, 0.5, math.nan, person, "7"][: rng.integers(0, 6)]
    for question in campaign.asked:
        levels[question] = int(rng.integers(len(campaign.levels(question))))
    if len(held) > 1 and rng.random() < 0.2:
        held.pop(str(rng.choice(sorted(held))))
    return {
        "person": person,
        "held": held,
        "levels": levels,
        "first": [str(word) for word in first_words(rng, campaign)],
        "words": f"{campaign.name}/{number}",
    }


def python_says(campaign, answer):
    rng = Written(map(int, answer["first"]), answer["words"])
    held, levels = answer["held"], answer["levels"]
    report = hg.answer(campaign, answer["person"], **held, levels=levels, public_columns=True, rng=rng)
    return Wire(campaign).encode(report).hex()


def cases(name, count):
    rng = np.random.default_rng([len(name), *name.encode()])
    while count:
        campaign = a_campaign(rng, count, name)
        if campaign is not None and campaign.asked:
            count -= 1
            yield campaign, [an_answer(rng, campaign, number) for number in range(3)]


@pytest.mark.parametrize("name", FEATURES)
def test_the_same_words_give_the_same_bytes(node, name):
    found = list(cases(name, 100))
    answers = said(node, [asked(campaign, given) for campaign, given in found])
    for (campaign, given), by_javascript in zip(found, answers, strict=True):
        expected = [[python_says(campaign, one)] for one in given]
        assert by_javascript == expected, campaign.to_json()


def test_many_features_too(node):
    """Thousands of draws side by side: what is refused is drawn again in the same order."""
    rng = np.random.default_rng(3)
    values = rng.random(1000).tolist()
    campaigns = [
        hg.Campaign(classes=2, num_features=1000, features=mechanism)
        for mechanism in (
            hg.Laplace(0.3), hg.Laplace(9000.0), hg.AnalyticGaussian(1.0, 1e-9),
            hg.AnalyticGaussian(400.0, 0.1), hg.OneBit(50.0), hg.MultiBit(500.0), hg.MultiBit(3.0, m=700),
        )
    ]  # fmt: skip
    answer = {"person": 17, "held": {"features": values}, "levels": {}, "first": [], "words": "many"}
    answers = said(node, [asked(campaign, [answer]) for campaign in campaigns])
    assert answers == [[[python_says(campaign, answer)]] for campaign in campaigns]


def test_calibration_of_gaussian_noise_is_the_same_at_hundreds_of_budgets(node):
    """The scale of the noise decides about the bytes; the words alone hide little of it at small scales."""
    rng = np.random.default_rng(8)
    found = []
    while len(found) < 300:
        epsilon, delta = float(10 ** rng.uniform(-3, 3)), float(10 ** rng.uniform(-200, -0.5))
        try:
            mechanism = hg.AnalyticGaussian(epsilon, delta)
            campaign = hg.Campaign(classes=2, num_features=3, features=mechanism)
        except ValueError:
            continue
        answer = {"person": 1, "held": {"features": [0.1, 0.5, 1.0]}, "levels": {}, "first": [], "words": "g"}
        found.append((campaign, answer))
    answers = said(node, [asked(campaign, [answer]) for campaign, answer in found])
    for (campaign, answer), by_javascript in zip(found, answers, strict=True):
        assert by_javascript == [[python_says(campaign, answer)]], campaign.to_json()


REFUSED = {
    "another epsilon": ('"epsilon":1', '"epsilon":0'),
    "no number": ('"epsilon":1', '"epsilon":"1"'),
    "an unknown mechanism": ("one-bit", "two-bit"),
    "an unknown entry": ('"name"', '"nickname"'),
    "one class": ('["a","b"]', '["a"]'),
    "the same class twice": ('["a","b"]', '["a","a"]'),
    "no features": ('"num_features":2', '"num_features":0'),
    "another range": ('"high":1', '"high":-1'),
    "another format": ('"format":1', '"format":2'),
    "levels that fall": ('"labels":[', '"labels":[{"epsilon":5,"mechanism":"randomized-response"},'),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
def test_what_python_refuses_javascript_refuses(node, change):
    campaign = hg.Campaign(
        classes=["a", "b"], num_features=2, features=hg.OneBit(1.0), labels=hg.RandomizedResponse(1.0)
    )
    text = campaign.to_json()
    assert change[0] in text
    changed = text.replace(*change)
    with pytest.raises(ValueError, match="no campaign"):
        hg.Campaign.from_json(changed)
    identity = hashlib.sha256(changed.encode()).hexdigest()
    (answer,) = said(node, [{"terms": changed, "id": identity, "answers": []}])
    assert "this is no campaign" in answer["error"]
