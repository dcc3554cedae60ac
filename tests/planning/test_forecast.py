"""Forecasts rise with the budget, are exact where they were simulated, and say how unsure they are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hushgraph.planning.forecast import Curve, Forecast, budgets_between
from hushgraph.planning.theory import label_information

SHARES = np.full(4, 0.25)
BUDGETS = (0.5, 1.0, 2.0, math.inf)
CURVE = Curve(SHARES, BUDGETS, np.array([[0.3, 0.6, 0.8, 0.9], [0.4, 0.7, 0.8, 0.9], [0.35, 0.65, 0.8, 0.9]]))


def test_where_it_was_simulated_it_is_the_mean_of_the_draws():
    assert [CURVE.at(epsilon).accuracy for epsilon in BUDGETS] == pytest.approx([0.35, 0.65, 0.8, 0.9])


def test_between_it_rises_and_outside_it_stays():
    budgets = np.geomspace(0.1, 20, 50)
    found = [CURVE.at(epsilon) for epsilon in budgets]
    assert (np.diff([one.accuracy for one in found]) >= 0).all()
    assert all(0 <= one.low < one.accuracy < one.high <= 1 for one in found)
    assert CURVE.at(0.1) == CURVE.at(0.5)


def test_what_falls_by_chance_is_evened_out():
    curve = Curve(SHARES, (1.0, 2.0, 4.0), np.array([[0.5, 0.8, 0.7], [0.5, 0.8, 0.7]]))
    assert curve.at(2.0).accuracy == curve.at(4.0).accuracy == pytest.approx(0.75)


def test_an_interval_holds_nine_campaigns_in_ten_if_draws_are_like_them():
    """With discrepancy beside: 2,000 trials of 6 draws and one more; a deviation of 0.7 points."""
    rng = np.random.default_rng(0)
    values = rng.normal(0.5, 0.08, (2_000, 7))
    held = [low <= last <= high for (*draws, last) in values for _, low, high in [Forecast.of(draws)]]
    assert 0.85 < np.mean(held) < 0.95


def test_what_no_noise_brings_says_nothing_of_how_much_a_small_budget_varies():
    alone = Forecast.of(CURVE.accuracies[:, 0])
    curve = Curve(SHARES, (0.5, math.inf), CURVE.accuracies[:, [0, 3]])
    assert curve.at(0.5) == pytest.approx(alone)
    # A neighbour that varies less makes it no narrower than more draws would.
    assert CURVE.at(1.0).high - CURVE.at(1.0).low < alone.high - alone.low


def test_draws_that_differ_more_make_it_wider():
    narrow, wide = Forecast.of([0.5, 0.5, 0.5]), Forecast.of([0.4, 0.5, 0.6])
    assert narrow.high - narrow.low < wide.high - wide.low
    assert narrow.low < 0.5 < narrow.high


def test_budgets_are_in_even_steps_of_information():
    found = budgets_between(0.5, 8.0, SHARES, 5)
    told = np.log([label_information(epsilon, SHARES) for epsilon in found])
    assert (found[0], found[-1], len(found)) == (0.5, 8.0, 5)
    assert np.diff(told) == pytest.approx(np.diff(told).mean(), rel=0.05)
    assert budgets_between(1.0, 1.0, SHARES, 5) == [1.0]
