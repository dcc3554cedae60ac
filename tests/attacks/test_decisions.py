"""How right an attack is."""

from __future__ import annotations

import numpy as np
import pytest

from hushgraph.attacks import Decisions, Guesses
from hushgraph.attacks.intervals import share


def drawn(shift, size=400, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(2 * size) < size
    scores = rng.normal(size=2 * size) + shift * truth
    return Decisions("drawn", scores, scores > shift / 2, truth)


def test_whoever_knows_is_always_right():
    truth = np.array([True, False, True])
    known = Decisions("known", truth.astype(float), truth, truth)
    assert known.accuracy.value == known.auc.value == known.advantage.value == 1
    assert known.tpr_at(0.01).value == 1


def test_equal_scores_tell_nothing():
    truth = np.arange(10) < 5
    nothing = Decisions("nothing", np.zeros(10), np.zeros(10, bool), truth)
    assert nothing.auc.value == nothing.accuracy.value == 0.5
    assert nothing.tpr_at(0.1).value == 0


def test_kinds_count_alike_however_many_cases_each_has():
    truth = np.arange(100) < 10
    all_no = Decisions("no", np.zeros(100), np.zeros(100, bool), truth)
    assert all_no.accuracy.value == 0.5


def test_the_area_is_the_chance_that_a_member_scores_higher():
    one = drawn(1.0)
    yes, no = one.scores[one.truth], one.scores[~one.truth]
    assert one.auc.value == pytest.approx((yes[:, None] > no).mean())


def test_no_more_false_alarms_than_allowed():
    one = drawn(1.0)
    for fpr in (0.0, 0.001, 0.01, 0.1, 1.0):
        threshold = one.scores[one.truth]
        found = one.tpr_at(fpr)
        exceeding = np.sort(threshold)[::-1][: round(found.value * 400)]
        if exceeding.size:
            assert (one.scores[~one.truth] >= exceeding.min()).mean() <= fpr + 1e-9


def test_intervals_cover_in_nineteen_of_twenty():
    # Of 200 draws about 10 may miss; 20 or more would have a chance of 0.3 %, and coverage may be larger.
    truth_auc = 0.7602  # Φ(1 / √2)
    missed = sum(
        not one.auc.low <= truth_auc <= one.auc.high for one in (drawn(1.0, 60, s) for s in range(200))
    )
    assert missed < 20


def test_a_share_has_an_exact_interval():
    assert share(0, 10).low == 0
    assert share(10, 10).high == 1
    assert share(0, 10).high == pytest.approx(1 - 0.025**0.1)
    with pytest.raises(ValueError, match="got 3 of 2"):
        share(3, 2)


def test_guesses_are_held_against_the_most_common_value():
    truth = np.array([0, 0, 0, 1])
    assert Guesses("naive", np.zeros(4, int), truth, 0.75).advantage.value == 0
    assert Guesses("knows", truth, truth, 0.75).advantage.value == 1


@pytest.mark.parametrize("scores", [np.array([1.0, np.nan]), np.array([1.0])])
def test_what_is_no_score_is_refused(scores):
    with pytest.raises(ValueError, match="scores"):
        Decisions("bad", scores, np.array([True, False]), np.array([True, False]))


def test_cases_of_one_kind_are_refused():
    with pytest.raises(ValueError, match="both kinds"):
        Decisions("one kind", np.zeros(2), np.zeros(2, bool), np.ones(2, bool))
