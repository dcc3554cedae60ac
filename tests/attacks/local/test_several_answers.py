"""Fresh answers are averaged as far as theory says; a device gives one, however often it is asked."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from tests.attacks.local.agreement import may_have_been

import hushgraph as hg
from hushgraph.attacks import largest_success
from hushgraph.attacks.local import feature_after, label_after
from hushgraph.attacks.local.candidates import feature_posterior, label_likelihoods
from hushgraph.collection.estimates import LabelChannel
from hushgraph.collection.wire import Wire


def by_enumeration(asked, classes, answers):
    """Over all answers to a person of class 0: how often the most frequent one is that, ties counted less."""
    total = 0.0
    for given in itertools.product(range(classes), repeat=answers):
        counts = Counter(given)
        first = [label for label, count in counts.items() if count == max(counts.values())]
        if 0 in first:
            total += math.prod(float(asked.probability(y, 0)) for y in given) / len(first)
    return total


@pytest.mark.parametrize(("classes", "answers"), [(2, 1), (2, 8), (3, 5), (4, 4), (5, 3), (7, 1)])
def test_the_closed_form_is_what_enumeration_gives(classes, answers):
    asked = hg.RandomizedResponse(0.8, num_classes=classes)
    assert label_after(asked, answers) == pytest.approx(by_enumeration(asked, classes, answers))


def test_a_budget_that_rounds_to_no_noise_gives_a_label_away():
    assert label_after(hg.RandomizedResponse(40.0, num_classes=4), 10) == 1


@pytest.mark.parametrize("answers", [1, 5, 25])
def test_fresh_answers_give_a_label_away_as_theory_says(answers):
    asked, rng = hg.RandomizedResponse(1.0, num_classes=4), np.random.default_rng(0)
    labels = rng.integers(0, 4, 20_000)
    channel = LabelChannel(asked.keep_probability, asked.other_probability)
    told = sum(label_likelihoods(asked.randomize(labels, rng), channel, 4) for _ in range(answers))
    guessed = (told + 1e-9 * rng.random(told.shape)).argmax(1)
    assert may_have_been(guessed == labels, label_after(asked, answers))


def test_so_many_answers_are_told_apart_no_better_than_their_budgets_together_allow():
    asked = hg.RandomizedResponse(0.3, num_classes=3)
    found = [label_after(asked, answers) for answers in (1, 2, 5, 20, 500)]
    assert found[0] == pytest.approx(asked.keep_probability)
    assert all(more > less - 1e-12 for less, more in itertools.pairwise(found))
    assert found[-1] > 0.99
    for answers, success in zip((1, 2, 5, 20), found, strict=False):
        assert success <= largest_success([1 / 3] * 3, 0.3 * answers) + 1e-9


@pytest.mark.parametrize(
    "mechanism", [hg.MultiBit(2.0), hg.OneBit(2.0), hg.AnalyticGaussian(2.0, delta=1e-3)]
)
def test_fresh_answers_give_a_feature_away_as_theory_says(mechanism):
    rng, answers = np.random.default_rng(1), 20
    held = rng.integers(0, 2, (6_000, 4)).astype(float)
    told = 0.0
    for _ in range(answers):
        beliefs = feature_posterior(mechanism, mechanism.randomize(held, rng), 4, [0, 1], [0.5, 0.5])
        told = told + np.log(beliefs)
    guessed = (told + 1e-9 * rng.random(told.shape)).argmax(2)
    expected = feature_after(mechanism, 4, answers)
    assert expected > feature_after(mechanism, 4, 1) + 0.1
    assert may_have_been(guessed[:, 0] == held[:, 0], expected)


def test_a_device_that_is_asked_again_and_again_gives_no_more_than_one_answer():
    asked = hg.Campaign(classes=3, labels=hg.RandomizedResponse(1.0), num_people=40)
    wire = Wire(asked)
    for person in range(40):
        device = hg.Reporter(epsilon=1.0)
        given = [device.answer(asked, person, label=person % 3).body for _ in range(10)]
        assert len(set(given)) == 1
        answers = np.array([int(wire.decode(body).answers["label"].parts["label"]) for body in given])
        told = label_likelihoods(answers, LabelChannel(0.6, 0.2), 3).sum(0)
        assert told.argmax() == answers[0]
        assert device.spent == (1.0, 0.0)


def test_without_a_device_that_remembers_answers_differ_and_add_up():
    asked, rng = hg.Campaign(classes=3, labels=hg.RandomizedResponse(1.0)), np.random.default_rng(2)
    mechanism, held, right = asked.labels[0], np.arange(400) % 3, []
    for person in range(400):
        answers = [
            int(hg.answer(asked, person, label=int(held[person]), rng=rng).answers["label"].parts["label"])
            for _ in range(15)
        ]
        counts = np.bincount(answers, minlength=3) + 1e-9 * rng.random(3)
        right.append(counts.argmax() == held[person])
    assert may_have_been(np.array(right), label_after(mechanism, 15))
    assert not may_have_been(np.array(right), label_after(mechanism, 1))


def test_there_is_no_formula_for_several_answers_of_laplace():
    with pytest.raises(TypeError, match="no formula for several answers of Laplace"):
        feature_after(hg.Laplace(1.0), 3, 2)
