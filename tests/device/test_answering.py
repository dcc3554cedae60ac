"""One person's answer, as their device gives it."""

import json
import math

import numpy as np
import pytest
import scipy.sparse as sp

import hushgraph as hg

ASKED = hg.Campaign(
    classes=["cat", "dog"],
    num_features=3,
    features=[hg.MultiBit(1.0), hg.MultiBit(2.0)],
    labels=hg.RandomizedResponse(1.0),
    lists=hg.AdjacencyRandomizedResponse(2.0),
    num_people=9,
)
SECRET = 7654321


def test_a_device_draws_from_the_operating_system_and_a_seed_is_a_simulation():
    assert not hg.answer(ASKED, 1, label="cat").simulated
    assert hg.answer(ASKED, 1, label="cat", rng=np.random.default_rng(0)).simulated
    answers = {hg.answer(ASKED, 1, friends=[2, 3]).to_json() for _ in range(50)}
    assert len(answers) > 1


class Fixed(hg.SecureRandom):
    """Always the same words: not the operating system's, whatever it is called."""

    def integers(self, low, high, size=None, **_):
        return np.zeros(size or (), np.uint64 if high > 1 << 63 else np.int64)


def test_a_generator_that_only_looks_secure_makes_a_simulation():
    assert hg.answer(ASKED, 1, label="cat", rng=Fixed()).simulated


def test_sparse_features_are_taken_too():
    for form in (sp.csr_array, list, np.asarray):
        report = hg.answer(ASKED, 1, features=form([0.0, 1.0, 0.0]), levels={"features": 1})
        assert json.loads(report.to_json())["answers"]["features"]["level"] == 1


def test_the_answer_has_the_probabilities_of_the_mechanism():
    """Randomised response at ε = 1 over two classes keeps a label with 0.731; a false alarm in a million."""
    kept = sum(int(hg.answer(ASKED, 1, label=1).answers["label"].parts["label"]) for _ in range(3000))
    p = math.e / (1 + math.e)
    assert abs(kept / 3000 - p) < 5 * math.sqrt(p * (1 - p) / 3000)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({}, "there is nothing to send"),
        ({"label": ["secret"]}, "label must be one class, got a list"),
        ({"friends": SECRET}, "friends must be a list of numbers, got a"),
        ({"friends": np.ones(8, bool)}, "or a mask of everybody"),
        ({"features": [0.1, 0.2, 0.3]}, "which of 2 levels to take of features"),
        ({"features": [0.1, 0.2], "levels": {"features": 0}}, "features must be 3 numbers"),
        ({"label": 1, "levels": {"label": 1}}, "the level of label must lie in 0 … 0"),
        ({"label": 1, "levels": {"nonsense": 0}}, "levels must be one of"),
        ({"label": 1, "person": 9}, "person must lie in 0 … 8"),
        ({"label": 1, "rng": 0}, "rng must be"),
    ],
)
def test_what_cannot_be_answered_is_refused_without_repeating_it(words, complaint):
    with pytest.raises((ValueError, TypeError), match=complaint) as refused:
        hg.answer(ASKED, **{"person": 1, **words})
    assert str(SECRET) not in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_question_that_is_not_asked_is_not_answered():
    with pytest.raises(ValueError, match="does not ask for features"):
        hg.answer(hg.Campaign(classes=2, labels=hg.RandomizedResponse(1.0)), 0, features=[1.0])


LEVELS = hg.Campaign(
    classes=["cat", "dog"],
    num_features=2,
    features=[hg.OneBit(0.01), hg.OneBit(60.0)],
    labels=[hg.RandomizedResponse(0.01), hg.RandomizedResponse(30.0)],
    lists=[hg.AdjacencyRandomizedResponse(0.01), hg.AdjacencyRandomizedResponse(30.0)],
    num_people=3,
)


@pytest.mark.parametrize("level", [0, 1])
def test_each_answer_goes_through_the_mechanism_of_the_level_that_was_taken(level):
    """At ε = 0.01 about half of all answers are wrong, at 30 none; a false alarm below 1e-9."""
    wrong = {"features": 0, "label": 0, "lists": 0}
    for _ in range(200):
        report = hg.answer(
            LEVELS, 0, features=[0.0, 1.0], label="dog", friends=[2], levels=dict.fromkeys(wrong, level)
        )
        assert {answer.level for answer in report.answers.values()} == {level}
        wrong["features"] += report.answers["features"].parts["values"].tolist() != [-1, 1]
        wrong["label"] += int(report.answers["label"].parts["label"]) != 1
        wrong["lists"] += report.answers["lists"].parts["names"].tolist() != [2]
    for question, expected in {"features": 0.75, "label": 0.5, "lists": 0.75}.items():
        assert wrong[question] == 0 if level else abs(wrong[question] / 200 - expected) < 0.25
