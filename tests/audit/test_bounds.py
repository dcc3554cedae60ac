"""Lower bounds from counts: below the truth as often as they say, and near it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from hushgraph.audit import Audit, epsilon_bound, lower_bound
from hushgraph.audit.bounds import reach
from hushgraph.audit.found import shared_confidence
from hushgraph.audit.scores import bound_of_rows


def test_the_bound_is_that_of_clopper_and_pearson():
    """One-sided, with half of the error for either probability."""
    low = binomtest(80, 100).proportion_ci(0.95, method="exact").low
    high = binomtest(20, 100).proportion_ci(0.95, method="exact").high
    assert float(epsilon_bound(80, 20, 100, delta=0.1, error=0.05)) == pytest.approx(
        math.log((low - 0.1) / high)
    )


def test_an_event_that_never_happens_is_no_evidence():
    assert float(epsilon_bound(0, 0, 100, delta=0.0, error=0.05)) == -math.inf
    assert float(epsilon_bound(1, 0, 100, delta=0.1, error=0.05)) == -math.inf


def test_bounds_lie_above_the_truth_as_rarely_as_they_say(rng):
    """A fair coin and one of 3 : 1; of 2,000 bounds with 80 % confidence at most a fifth are too high."""
    hits, alarms = rng.binomial(200, 0.75, 2000), rng.binomial(200, 0.5, 2000)
    bounds = epsilon_bound(hits, alarms, 200, delta=0.0, error=0.2)
    assert 0 < (bounds > math.log(1.5)).mean() < 0.2


def test_whoever_tries_hundreds_of_columns_finds_nothing_where_nothing_is(rng):
    """What is learned of these columns tells the two worlds apart where it was learned, and nowhere else."""
    for one, other in rng.integers(0, 9, (6, 2, 300, 100)):
        assert bound_of_rows([one], [other], delta=0.0, confidence=0.95)[0] < 0.2


def test_nothing_is_counted_on_which_it_was_chosen():
    """The worlds differ in those samples alone on which scores are learned and events are picked."""
    one, other = np.ones((400, 1)), np.ones((400, 1))
    other[:200] = 0
    assert bound_of_rows([one], [other], delta=0.0, confidence=0.95)[0] == 0
    other[100:] = 1
    assert lower_bound(one, other, delta=0.0) == 0


def test_each_of_several_events_is_counted_with_its_share_of_the_error(monkeypatch, rng):
    one, other = rng.normal(1, 1, (4000, 2)), rng.normal(0, 1, (4000, 2))
    one[:, 1], other[:, 1] = one[:, 0], other[:, 0]
    alone = lower_bound(one[:, 0], other[:, 0], delta=0.0)
    assert lower_bound(one, other, delta=0.0) == pytest.approx(
        lower_bound(one[:, 0], other[:, 0], delta=0.0, confidence=0.975)
    )
    assert lower_bound(one, other, delta=0.0) < alone


@pytest.mark.parametrize("turned", [False, True])
def test_either_side_of_a_threshold_speaks(turned, rng):
    """An answer that one world alone gives is found, whichever world that is."""
    one, other = (rng.random(2000) < 0.3).astype(float), np.zeros(2000)
    worlds = (-other, -one) if turned else (one, other)
    assert lower_bound(*worlds, delta=0.0) > 4


def test_worlds_of_different_sizes_are_refused():
    """By the number of the first, a share of the second would be a wrong one."""
    with pytest.raises(ValueError, match=r"must have the same shape, got \(400, 1\) and \(4000, 1\)"):
        lower_bound(np.ones(400), np.ones(4000), delta=0.0)


def test_a_score_that_is_no_number_is_refused():
    one = np.ones(400)
    one[7] = math.nan
    with pytest.raises(ValueError, match="some of these are NaN"):
        lower_bound(one, np.zeros(400), delta=0.0)


@pytest.mark.parametrize("sure", [0.0, 1.0, 95, math.nan])
def test_a_confidence_lies_between_0_and_1(sure):
    with pytest.raises(ValueError, match=r"confidence must lie in \(0, 1\)"):
        lower_bound(np.ones(400), np.zeros(400), delta=0.0, confidence=sure)
    with pytest.raises(ValueError, match=r"confidence must lie in \(0, 1\)"):
        shared_confidence(sure, 50)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_where_a_number_is_missing_is_looked_at(value, rng):
    """One world has a number where the other has none; all else is noise."""
    one, other = rng.normal(size=(2, 2000, 3))
    assert bound_of_rows([one], [other], delta=0.0, confidence=0.95).epsilon < 0.3
    one[rng.random(2000) < 0.3, 1] = value
    assert bound_of_rows([one], [other], delta=0.0, confidence=0.95).epsilon > 2


def test_what_is_missing_by_chance_hides_nothing(rng):
    one, other = rng.normal(2, 1, (2000, 3)), rng.normal(0, 1, (2000, 3))
    seen = bound_of_rows([one], [other], delta=0.0, confidence=0.95).epsilon
    for world in (one, other):
        world[rng.random(world.shape) < 0.01] = math.nan
    assert bound_of_rows([one], [other], delta=0.0, confidence=0.95).epsilon > 0.8 * seen


def test_all_bounds_together_have_the_confidence():
    assert shared_confidence(0.95, 5) == pytest.approx(0.99)


def test_rows_that_hang_together_are_not_counted_as_independent():
    """A coin for every 32 rows, with the same chances in both worlds."""
    above = np.zeros(2)
    for seed in range(40):
        coins = np.random.default_rng(seed).random((2, 100)) < 0.5
        here, there = np.repeat(coins, 32, axis=1)[:, :, None]
        above += [
            bound_of_rows([here], [there], delta=0.0, confidence=0.95, together=together).epsilon > 0
            for together in (1, 32)
        ]
    assert above[1] <= 4 < above[0]


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_no_bound_is_above_what_so_many_trials_reach(delta):
    one, other = np.ones(400), np.zeros(400)
    highest = lower_bound(one, other, delta=delta)
    assert highest == pytest.approx(reach(300, 1, delta=delta, confidence=0.95))
    assert bound_of_rows([one[:, None]], [other[:, None]], delta=delta, confidence=0.95)[0] < highest


def test_a_result_says_what_was_promised_found_and_tried():
    broken = Audit(2.0, 1.0, 0.01, 100, 0.99, "noise", "this and that")
    assert str(broken) == (
        "noise: ε ≥ 2 (99 %), promised ε = 1, δ = 0.01: the promise is broken\n  tried: this and that"
    )
    assert "no contradiction" in str(Audit(1.0, 1.0, 0.0, 0, 1.0))
    assert (Audit(1.0, 1.0, 0.0, 0, 1.0).exact, Audit(0.0, 1.0, 0.0, 100, 1.0).exact) == (True, False)
    assert Audit(math.inf, 1.0, 0.0, 0, 1.0).to_dict()["lower_bound"] == "inf"
