"""How much noise a budget asks for."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from hushgraph.privacy import accountant_check, accounting
from hushgraph.privacy.accountant_check import exact_delta
from hushgraph.privacy.accounting import CalibrationError, Releases, accountant_of, epsilon_of
from hushgraph.privacy.calibration import calibrate


def gaussian_delta(sensitivity, epsilon):
    """The exact δ of Gaussian noise of deviation 1 (Balle & Wang, 2018)."""
    half, over = sensitivity / 2, epsilon / sensitivity
    return norm.cdf(half - over) - math.exp(epsilon) * norm.cdf(-half - over)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-6), (1, 1e-5), (4, 1e-4), (12, 1e-5)])
def test_a_single_release_is_the_analytic_gaussian(epsilon, delta):
    (multiplier,) = calibrate((Releases("sums", 1),), (epsilon,), epsilon, delta, "edge")
    assert gaussian_delta(1 / multiplier, epsilon) <= delta
    assert gaussian_delta(1.002 / multiplier, epsilon) > delta


@pytest.mark.parametrize("relation", ["edge", "node-removal", "node-replacement"])
def test_releases_one_after_the_other_are_one_with_less_noise(relation):
    many = epsilon_of((Releases("sums", 9),), (6.0,), 1e-5, relation)
    assert many == pytest.approx(epsilon_of((Releases("sums", 1),), (2.0,), 1e-5, relation))


def test_replacing_a_sample_costs_as_much_as_twice_its_norm():
    part = (Releases("training", 20, 1.0, touched=1),)
    removed = epsilon_of(part, (10.0,), 1e-5, "node-removal")
    assert epsilon_of(part, (20.0,), 1e-5, "node-replacement") == pytest.approx(removed)


def test_several_changed_samples_cost_as_much_as_their_sum():
    # All batches hold everybody: four samples that change by twice their norm are one change of norm 8.
    several = epsilon_of((Releases("training", 5, 1.0, touched=4),), (40.0,), 1e-5, "node-removal")
    exact = epsilon_of((Releases("sums", 5),), (5.0,), 1e-5, "node-removal")
    assert exact <= several <= 1.2 * exact


@pytest.mark.parametrize("touched", [1, 3])
def test_the_bound_for_sampled_changes_holds(touched):
    """Against δ by numerical integration of two mixtures: samples of gradient +1 become -1."""
    rate, multiplier, delta = 0.3, 4.0, 1e-3
    epsilon = epsilon_of(
        (Releases("training", 1, rate, touched), Releases("none", 0, 1.0, 2)),
        (multiplier, 1.0),
        delta,
        "edge",
    )
    grid = np.linspace(-60, 60, 240_001)
    drawn = np.arange(touched + 1)
    weights = np.array([math.comb(touched, k) * rate**k * (1 - rate) ** (touched - k) for k in drawn])
    one, other = (
        (weights[:, None] * norm.pdf(grid, sign * drawn[:, None], multiplier)).sum(axis=0) for sign in (1, -1)
    )
    assert np.trapezoid(np.maximum(one - math.exp(epsilon) * other, 0), grid) <= delta


@pytest.mark.slow
@pytest.mark.parametrize("relation", ["node-removal", "node-replacement"])
def test_everything_together_spends_the_budget_and_hardly_less(relation):
    parts = (Releases("encoder", 30, 1.0, 1), Releases("sums", 2), Releases("classifier", 30, 0.25, 1))
    multipliers = calibrate(parts, (1.0, 2.0, 1.0), 4.0, 1e-4, relation)
    assert accountant_of(parts) == "PLD"
    assert 0.999 * 4.0 <= epsilon_of(parts, multipliers, 1e-4, relation) <= 4.0


def test_a_larger_share_is_less_noise():
    parts = (Releases("training", 10, 1.0, 5), Releases("inference", 1))
    assert accountant_of(parts) == "RDP"
    little, much = (
        calibrate(parts, shares, 4.0, 1e-4, "node-removal") for shares in ((1.0, 3.0), (3.0, 1.0))
    )
    assert little[0] > much[0]
    assert little[1] < much[1]


@pytest.mark.parametrize("spent", [math.inf, math.nan, 0.0])
def test_a_calibration_that_fails_is_an_error_and_never_zero_noise(spent, monkeypatch):
    monkeypatch.setattr(accounting, "epsilon_of", lambda *_: spent)
    calibrate.cache_clear()
    with pytest.raises(CalibrationError, match="no amount of noise"):
        calibrate((Releases("sums", 1),), (1.0,), 1.0, 1e-5, "edge")


def test_no_noise_spends_everything():
    assert epsilon_of((Releases("sums", 1),), (0.0,), 1e-5, "edge") == math.inf


def test_sampled_replacement_is_not_charged_for_a_loose_bound():
    """Rényi's bound is above 100 where the loss distribution says 8."""
    part = (Releases("training", 300, 0.01, touched=1),)
    multipliers = calibrate(part, (8.0,), 8.0, 1e-4, "node-replacement")
    assert accounting.rdp_of(part, multipliers, 1e-4, "node-replacement") > 100
    assert 7.99 < epsilon_of(part, multipliers, 1e-4, "node-replacement") <= 8.0


def test_every_sampled_step_counts():
    one, many = (
        epsilon_of((Releases("training", steps, 0.3, touched=1),), (2.0,), 1e-5, "node-removal")
        for steps in (1, 20)
    )
    assert 2 * one < many < 20 * one


@pytest.mark.parametrize("epsilon", [7e-4, 1e-3, 3e-3, 1e6])
def test_any_budget_is_calibrated_and_kept(epsilon):
    part = (Releases("training", 30, 1.0, touched=1),)
    multipliers = calibrate(part, (epsilon,), epsilon, 1e-5, "node-removal")
    assert 0.9 * epsilon < epsilon_of(part, multipliers, 1e-5, "node-removal") <= epsilon


def test_batches_of_one_are_calibrated():
    part = (Releases("training", 60 * 200, 1 / 200, touched=1),)
    multipliers = calibrate(part, (1.0,), 1.0, 1e-3, "node-replacement")
    assert 0.99 < epsilon_of(part, multipliers, 1e-3, "node-replacement") <= 1.0


def test_a_batch_of_which_nothing_changes_is_no_release():
    """Under Rényi DP it would have been free."""
    with pytest.raises(ValueError, match="of which nothing changes"):
        Releases("encoder", 10, 0.5)


@pytest.mark.parametrize("relation", ["node-removal", "node-replacement"])
@pytest.mark.parametrize("rate", accountant_check.RATES)
def test_what_accountants_say_is_checked_against_integration(relation, rate):
    """They are sound, and PLD tells no more than it must: a little less would be false."""
    for name, epsilon in accountant_check._said(relation, rate):
        assert exact_delta(epsilon, relation, rate) <= accountant_check.DELTA
        if name == "PLD":
            assert exact_delta(epsilon - 0.02, relation, rate) > accountant_check.DELTA


def test_integration_is_right():
    assert exact_delta(2.0, "node-removal", 1.0) == pytest.approx(gaussian_delta(1.0, 2.0), rel=1e-5)
    assert exact_delta(2.0, "node-replacement", 1.0) == pytest.approx(gaussian_delta(2.0, 2.0), rel=1e-5)


def test_an_accountant_that_takes_replacement_for_removal_is_refused(monkeypatch):
    """As dp-accounting 0.4 did: ε = 4 promised, 9.35 true."""
    pld_of = accounting.pld_of
    monkeypatch.setattr(
        accounting,
        "pld_of",
        lambda parts, noise, delta, _, grid: pld_of(parts, noise, delta, "node-removal", grid),
    )
    accountant_check.check_accountants.cache_clear()
    with pytest.raises(CalibrationError, match="accounting by PLD is wrong for node-replacement"):
        calibrate((Releases("sums", 1),), (1.25,), 1.25, 1e-5, "node-removal")
    accountant_check.check_accountants.cache_clear()
