"""Controls: what a method does without people's features."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.features_replaced import with_the_same_features, without_features
from hushgraph.local.controls import SAME, WITHOUT, controls_for, fit_controls


@pytest.fixture
def collected(camps, camps_split, rng):
    return hg.collect(
        camps, camps_split, features=hg.MultiBit(4.0), labels=hg.RandomizedResponse(1.0), rng=rng
    )


def test_labels_and_promise_stay_and_what_features_say_goes(collected, camps, camps_split):
    without = without_features(collected)
    assert without.features is None
    same = with_the_same_features(collected, np.random.default_rng(1))
    for changed in (without, same):
        np.testing.assert_array_equal(changed.labels, collected.labels)
        assert changed.guarantee == collected.guarantee
    # Of other features, the reports that stand in for them are the same.
    strangers = dataclasses.replace(camps, features=1 - camps.features)
    of_strangers = hg.collect(
        strangers, camps_split, features=hg.MultiBit(4.0), labels=hg.RandomizedResponse(1.0),
        rng=np.random.default_rng(2),
    )  # fmt: skip
    there = with_the_same_features(of_strangers, np.random.default_rng(1))
    for name, column in same.reports.of_question("features")[0].parts.items():
        np.testing.assert_array_equal(column, there.reports.of_question("features")[0].parts[name])


@pytest.mark.parametrize(
    "mechanism", [hg.MultiBit(1.0, low=0.5, high=2.0, clip=True), hg.Laplace(1.0), hg.MultiBit(np.inf)]
)
def test_any_mechanism_and_range_has_a_constant(camps, camps_split, mechanism, rng):
    collected = hg.collect(
        camps,
        camps_split,
        features=mechanism,
        labels=hg.RandomizedResponse(1.0),
        rng=rng,
        answered=range(300),
    )
    same = with_the_same_features(collected, rng)
    assert same.features.shape == collected.features.shape
    np.testing.assert_array_equal(same.answered, collected.answered)


def test_each_method_has_the_controls_that_say_something_of_it(collected, camps, camps_split, rng):
    labels = hg.collect(camps, camps_split, features=None, labels=hg.RandomizedResponse(1.0), rng=rng)
    for model, names in (
        (hg.Cascade(), (WITHOUT,)),
        (hg.LPGNN(), (WITHOUT, SAME)),
        (hg.Solitude(), (SAME,)),
        (hg.LPGNN(features="ones"), ()),
    ):
        assert controls_for(model, collected.campaign) == names
        assert controls_for(model, labels.campaign) == ()
    # Without noise the same features are a constant, from which a network learns nothing of anybody.
    plain = hg.collect(camps, camps_split, features=hg.MultiBit(np.inf), labels=hg.RandomizedResponse(1.0))
    assert controls_for(hg.LPGNN(), plain.campaign) == (WITHOUT,)
    assert controls_for(hg.Solitude(), plain.campaign) == ()


def test_where_features_alone_tell_the_control_knows_nothing(camps, camps_split, rng):
    """Without friendships only features say anything of those who gave no label."""
    loners = dataclasses.replace(camps, edges=np.zeros((2, 0), np.int32))
    collected = hg.collect(
        loners, camps_split, features=hg.MultiBit(np.inf), labels=hg.RandomizedResponse(np.inf), rng=rng
    )
    model = hg.LPGNN(k_x=0, k_y=0, epochs=60).fit(collected)
    assert hg.accuracy(model, camps, camps_split.test) > 0.9
    for _, control in fit_controls(model, collected, controls_for(model, collected.campaign)):
        # Everybody gets one class, and both are about as large; the test people are always the same.
        assert hg.accuracy(control, camps, camps_split.test) < 0.65


def test_a_cascade_that_does_not_use_features_is_its_own_control_and_another_learns_anew(
    collected, monkeypatch
):
    model = hg.Cascade()
    learned = []
    monkeypatch.setattr(
        hg.Cascade, "fit", lambda self, given, *, progress=None: learned.append(given) or self
    )
    monkeypatch.setattr(hg.Cascade, "evidence", lambda *_: (0.5, 2.9))
    assert [control for _, control in fit_controls(model, collected, [WITHOUT])] == [model]
    assert learned == []
    # Nothing to all reports, and something to a part: its calibration has seen features.
    monkeypatch.setattr(hg.Cascade, "evidence", lambda *_: (0.5, 3.1))
    assert [control is model for _, control in fit_controls(model, collected, [WITHOUT])] == [False]
    assert learned[0].features is None
