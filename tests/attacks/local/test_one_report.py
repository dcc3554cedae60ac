"""The best guess at what a report hides is right as often as its closed form says, and as ε allows."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace, norm
from tests.attacks.local.agreement import may_have_been

import hushgraph as hg
from hushgraph.attacks.local import guess_feature, guess_label, guess_report
from hushgraph.attacks.local.candidates import (
    feature_posterior,
    label_likelihoods,
    posterior,
    record_posterior,
)
from hushgraph.collection.columns import to_columns
from hushgraph.collection.estimates import LabelChannel
from hushgraph.collection.reports import Answers, Reports

PEOPLE = 20_000
FEATURES = [
    hg.MultiBit(2.0),
    hg.MultiBit(2.0, m=2),
    hg.OneBit(2.0),
    hg.Laplace(2.0),
    hg.AnalyticGaussian(2.0, delta=1e-3),
]
NAMES = ["multi-bit", "two bits", "1-bit", "Laplace", "Gaussian"]


@pytest.mark.parametrize("prior", [[0.25] * 4, [0.7, 0.1, 0.1, 0.1], [0.4, 0.4, 0.2, 0.0]])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_a_label_is_guessed_as_often_as_the_closed_form_says(prior, epsilon):
    asked, rng = hg.RandomizedResponse(epsilon, num_classes=4), np.random.default_rng(0)
    expected = guess_label(asked, prior)
    of_answers = [max(prior[v] * float(asked.probability(y, v)) for v in range(4)) for y in range(4)]
    assert expected.success == pytest.approx(math.fsum(of_answers))
    labels = rng.choice(4, PEOPLE, p=prior)
    channel = LabelChannel(asked.keep_probability, asked.other_probability)
    told = label_likelihoods(asked.randomize(labels, rng), channel, 4)
    assert may_have_been(posterior(told, prior).argmax(1) == labels, expected.success)


def test_equal_classes_are_guessed_as_often_as_epsilon_allows_at_all():
    for classes, epsilon in itertools.product((2, 7), (0.1, 1.0, 5.0)):
        best = guess_label(hg.RandomizedResponse(epsilon), np.full(classes, 1 / classes))
        assert best.success == pytest.approx(math.exp(epsilon) / (math.exp(epsilon) + classes - 1))
        assert best.success == pytest.approx(best.bound)


@pytest.mark.parametrize("mechanism", FEATURES, ids=NAMES)
@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.2, 0.8]], ids=["alike", "uneven"])
def test_a_feature_is_guessed_as_often_as_the_closed_form_says(mechanism, prior):
    rng = np.random.default_rng(1)
    held = rng.choice([0.0, 1.0], (PEOPLE, 3), p=prior)
    expected = guess_feature(mechanism, 3, prior=prior)
    guessed = feature_posterior(mechanism, mechanism.randomize(held, rng), 3, [0, 1], prior).argmax(2)
    assert may_have_been(guessed[:, 1] == held[:, 1], expected.success)
    assert expected.naive <= expected.success <= expected.bound


def test_the_formulas_are_those_of_the_page():
    gap = 0.4
    bits = guess_feature(hg.MultiBit(3.0, m=2), 5, [0.1, 0.1 + gap]).success
    assert bits == pytest.approx(0.5 + 2 / 5 * gap * math.tanh(3.0 / 4) / 2)
    one_bit = guess_feature(hg.OneBit(3.0), 5, [0.1, 0.1 + gap]).success
    assert one_bit == pytest.approx(0.5 + gap * math.tanh(3.0 / 10) / 2)
    noisy = guess_feature(hg.Laplace(3.0), 5, [0.1, 0.1 + gap]).success
    assert noisy == pytest.approx(1 - math.exp(-gap / 2 / (5 / 3)) / 2)
    gaussian = hg.AnalyticGaussian(3.0, delta=1e-4)
    told = guess_feature(gaussian, 5, [0.1, 0.1 + gap]).success
    assert told == pytest.approx(norm.cdf(gap / 2 / gaussian.sigma(5)), rel=1e-6)


@pytest.mark.parametrize("mechanism", [hg.Laplace(6.0), hg.AnalyticGaussian(3.0, delta=1e-2)])
def test_of_several_values_the_integral_of_the_best_is_taken(mechanism):
    values, prior = [0.0, 0.3, 1.0, 0.8], [0.2, 0.5, 0.3, 0.0]
    noise = mechanism.noise(2)
    scale = noise.scale / noise.steps
    density = laplace.pdf if isinstance(mechanism, hg.Laplace) else norm.pdf

    def best(y):
        return max(p * density((y - v) / scale) / scale for v, p in zip(values, prior, strict=True))

    whole, _ = quad(best, -15, 15, points=[0.0, 0.3, 0.6, 1.0], limit=400)
    assert guess_feature(mechanism, 2, values, prior).success == pytest.approx(whole, abs=1e-6)


@pytest.mark.parametrize("mechanism", FEATURES, ids=NAMES)
def test_a_whole_report_is_guessed_as_often_as_the_product_says(mechanism):
    """Two classes and three features, all records equally likely; the attacker knows that much."""
    records = np.array(list(itertools.product([0.0, 1.0], repeat=3)) * 2)
    labels = np.repeat([0, 1], 8)
    asked = hg.Campaign(classes=2, num_features=3, features=mechanism, labels=hg.RandomizedResponse(1.0))
    rng = np.random.default_rng(2)
    who = rng.integers(0, 16, PEOPLE)
    everyone = np.arange(PEOPLE)
    sent = {
        "label": {"label": asked.labels[0].randomize(labels[who], rng)},
        "features": to_columns(mechanism.randomize(records[who], rng)),
    }
    reports = Reports(
        asked.id, tuple(Answers(name, 0, everyone, parts) for name, parts in sent.items()), True
    )
    people, beliefs = record_posterior(asked, reports, records, labels, np.full(16, 1 / 16))
    # Features that were not drawn leave records equally likely: of these one at random.
    guessed = (beliefs + 1e-9 * rng.random(beliefs.shape)).argmax(1)
    expected = guess_report(asked, label_prior=[0.5, 0.5])
    assert (people == everyone).all()
    assert may_have_been(guessed == who, expected.success)
    assert may_have_been(rng.random(PEOPLE) < beliefs.max(1), expected.success)
    assert 1 / 16 == expected.naive < expected.success < expected.bound


def test_no_guess_is_better_than_epsilon_allows():
    rng = np.random.default_rng(3)
    for _ in range(40):
        prior, epsilon = rng.dirichlet(np.ones(3)), float(rng.uniform(0.05, 6))
        best = guess_label(hg.RandomizedResponse(epsilon), prior)
        assert best.naive - 1e-12 <= best.success <= best.bound + 1e-9
        for mechanism in (
            hg.MultiBit(epsilon),
            hg.Laplace(epsilon),
            hg.AnalyticGaussian(epsilon, delta=1e-4),
        ):
            best = guess_feature(mechanism, 1, [0, 0.5, 1], prior)
            # The grid of the noise, which the closed form leaves out, is that fine.
            assert best.naive - 1e-7 <= best.success <= best.bound + 1e-7


def test_what_went_through_no_noise_is_known():
    assert guess_label(hg.RandomizedResponse(math.inf), [0.5, 0.5]).success == 1
    assert guess_feature(hg.MultiBit(math.inf), 4).success == 1


@dataclass(frozen=True)
class Own:
    epsilon: float = 1.0
    low: float = 0.0
    high: float = 1.0
    guarantee = hg.Laplace(1.0).guarantee


def test_of_a_mechanism_of_ones_own_the_bound_alone_is_known():
    best = guess_feature(Own(), 3)
    assert best.success is None
    assert best.bound == pytest.approx(math.e / (math.e + 1))
    assert str(best) == "unknown (without the report 0.500, at most 0.731)"
    with pytest.raises(TypeError, match="the answers of Own have no known probabilities here"):
        feature_posterior(Own(), np.zeros((1, 3)), 3, [0, 1], [0.5, 0.5])


@pytest.mark.parametrize(
    ("values", "prior", "message"),
    [
        ([0, 2], None, "values must lie in the range"),
        ([0, 0], None, "two different numbers"),
        ([0, 1], [0.5, 0.6], "add up to 1"),
        ([0, 1], [0.2, 0.3, 0.5], "one for each value"),
    ],
)
def test_impossible_values_are_refused(values, prior, message):
    with pytest.raises(ValueError, match=message):
        guess_feature(hg.MultiBit(1.0), 3, values, prior)
