"""With the system's randomness, reports of both libraries are distributed as the theorems say.

Everything is read from the bytes that leave. False alarms: one run in 10⁹, over all of these tests together.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from tests.js.node_device import asked, said

import hushgraph as hg
from hushgraph.collection.wire import Wire
from hushgraph.mechanisms.bits import SignedBit, share

pytestmark = pytest.mark.slow

TIMES = 10_000
EPSILON = 1.3
VALUES = [0.0, 0.3, 1.0]
# As many as there are of the tests below, each for both libraries.
FALSE_ALARM = 1e-9 / 14


def features(mechanism):
    return hg.Campaign(classes=2, num_features=3, features=mechanism), {"features": VALUES}


def signs(epsilon, values):
    """The exact chance of each combination of signs."""
    plus = [SignedBit(epsilon, 0.0, 1.0).probability_of_plus(value) for value in values]
    combinations = itertools.product([-1, 1], repeat=len(values))
    return {
        signs: math.prod(up if sign > 0 else 1 - up for sign, up in zip(signs, plus, strict=True))
        for signs in combinations
    }


def label():
    campaign = hg.Campaign(classes=5, labels=hg.RandomizedResponse(EPSILON))
    chances = {answer: campaign.labels[0].probability(answer, 2) for answer in range(5)}
    return campaign, {"label": 2}, lambda answers: int(answers["label"].parts["label"]), chances


def unknown_label():
    campaign = hg.Campaign(classes=5, labels=hg.RandomizedResponse(EPSILON))
    read = lambda answers: int(answers["label"].parts["label"])  # noqa: E731
    return campaign, {"label": -1}, read, dict.fromkeys(range(5), 0.2)


def one_bit():
    campaign, held = features(hg.OneBit(EPSILON))
    read = lambda answers: tuple(answers["features"].parts["values"].tolist())  # noqa: E731
    return campaign, held, read, signs(share(EPSILON, 3), VALUES)


def multi_bit():
    campaign, held = features(hg.MultiBit(EPSILON, m=2))
    (columns,) = Wire(campaign).columns([4], 0).tolist()
    read = lambda answers: tuple(answers["features"].parts["signs"].tolist())  # noqa: E731
    return campaign, held, read, signs(share(EPSILON, 2), [VALUES[column] for column in columns])


def lists():
    campaign = hg.Campaign(classes=2, lists=hg.AdjacencyRandomizedResponse(EPSILON), num_people=5)
    chance = campaign.lists[0].probability
    chances = {
        names: math.prod(chance(name in names, name in (0, 3)) for name in range(4))
        for size in range(5)
        for names in itertools.combinations(range(4), size)
    }
    read = lambda answers: tuple(answers["lists"].parts["names"].tolist())  # noqa: E731
    return campaign, {"friends": [3, 0]}, read, chances


def numbers(mechanism, law):
    """Twenty intervals of the noise on the second feature; its grid is finer than these by far."""
    campaign, held = features(mechanism)
    ends = law.ppf(np.arange(1, 20) / 20)
    read = lambda answers: int(np.searchsorted(ends, answers["features"].parts["values"][1]))  # noqa: E731
    return campaign, held, read, dict.fromkeys(range(20), 0.05)


def laplace():
    return numbers(hg.Laplace(EPSILON), scipy.stats.laplace(0.3, hg.Laplace(EPSILON).scale(3)))


def gaussian():
    mechanism = hg.AnalyticGaussian(EPSILON, 1e-6)
    return numbers(mechanism, scipy.stats.norm(0.3, mechanism.sigma(3)))


CASES = [label, unknown_label, one_bit, multi_bit, lists, laplace, gaussian]


def explained(campaign, read, chances, sent, chance):
    wire = Wire(campaign)
    counts = dict.fromkeys(chances, 0)
    for data in sent:
        report = wire.decode(data)
        assert not report.simulated
        counts[read(report.answers)] += 1
    return chance.explains(list(counts.values()), list(chances.values()), FALSE_ALARM)


@pytest.mark.parametrize("case", CASES)
def test_reports_of_javascript_are_distributed_as_the_theorem_says(node, case, chance):
    campaign, held, read, chances = case()
    answer = {"person": 4, "held": held, "levels": {}, "times": TIMES}
    ((sent,),) = said(node, [asked(campaign, [answer])])
    assert explained(campaign, read, chances, map(bytes.fromhex, sent), chance)


@pytest.mark.parametrize("case", CASES)
def test_reports_of_python_are_distributed_as_the_theorem_says(case, chance):
    campaign, held, read, chances = case()
    wire = Wire(campaign)
    sent = (wire.encode(hg.answer(campaign, 4, **held, public_columns=True)) for _ in range(TIMES))
    assert explained(campaign, read, chances, sent, chance)
