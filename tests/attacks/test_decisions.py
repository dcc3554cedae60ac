"""How right an attack is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from hushgraph.attacks import Decisions, Guesses, largest_tpr
from hushgraph.attacks.answers import most_likely
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


@pytest.mark.parametrize(("size", "fpr"), [(200, 0.001), (200, 0.01), (1000, 0.01), (200, 0.1)])
def test_intervals_of_the_share_found_cover_though_a_threshold_is_set_by_few(size, fpr):
    truth = norm.sf(norm.isf(fpr) - 1)
    found = [drawn(1.0, size, seed).tpr_at(fpr) for seed in range(200)]
    assert sum(not one.low <= truth <= one.high for one in found) < 20
    assert all(one.low <= one.value <= one.high for one in found)


@pytest.mark.parametrize(("members", "others"), [(1000, 3), (200, 10), (75, 75)])
def test_intervals_cover_however_few_there_are_of_a_kind(members, others):
    """Guesses: the truth is ½, and intervals of accuracy and of the area may miss it once in twenty."""
    truth, missed = np.arange(members + others) < members, np.zeros(2)
    for seed in range(200):
        scores = np.random.default_rng(seed).normal(size=truth.size)
        one = Decisions("guess", scores, scores > 0, truth)
        missed += [not each.low <= 0.5 <= each.high for each in (one.accuracy, one.auc)]
    assert (missed < 20).all()


def test_few_cases_tell_little_of_an_area():
    truth = np.array([True, False])
    one = Decisions("one pair", truth.astype(float), truth, truth).auc
    assert one.value == 1
    assert one.low < 0.1
    truth = np.arange(100) < 50
    apart = Decisions("apart", truth.astype(float), truth, truth).auc
    assert 0.9 < apart.low < apart.high == 1


@pytest.mark.parametrize(("size", "fpr"), [(100, 0.001), (100, 0.01), (1000, 0.01)])
@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_whoever_keeps_a_promise_is_seldom_held_to_break_it(size, fpr, epsilon):
    """The best attacker on randomised response, who finds as many as ε allows at any share of false alarms.

    The interval's low end lies above the bound in one of forty draws at most: in 16 of 200 or more with a
    chance of 0.01 %.
    """
    truth, above = np.arange(2 * size) < size, 0
    keeps = np.exp(epsilon) / (1 + np.exp(epsilon))
    for seed in range(200):
        rng = np.random.default_rng(seed)
        bits = truth == (rng.random(truth.size) < keeps)
        scores = bits + rng.random(truth.size)
        above += Decisions("best", scores, bits, truth).tpr_at(fpr).low > largest_tpr(fpr, epsilon)
    assert above < 16


def test_of_equal_scores_as_many_are_named_as_there_should_be():
    said = most_likely("ties", np.ones(200), share=0.5).said
    assert said.sum() == 100
    assert 30 < said[:100].sum() < 70


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


def test_a_value_that_everybody_has_is_no_secret():
    with pytest.raises(ValueError, match="nothing to guess"):
        Guesses("constant", np.zeros(4, int), np.zeros(4, int), 1.0)


def test_cases_of_one_kind_are_refused():
    with pytest.raises(ValueError, match="both kinds"):
        Decisions("one kind", np.zeros(2), np.zeros(2, bool), np.ones(2, bool))
