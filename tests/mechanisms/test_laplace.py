from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats

import hushgraph as hg


def places(mechanism, values, monkeypatch):
    """Where on the grid a device puts values, before the noise."""
    silent = replace(
        mechanism.noise(values.shape[-1]), draw=lambda scales, rng: np.zeros(np.shape(scales), int)
    )
    with monkeypatch.context() as patched:
        patched.setattr(hg.Laplace, "noise", lambda self, dimensions: silent)
        reports = mechanism.randomize(values, np.random.default_rng(0)).astype(float)
    return np.rint((reports - mechanism.low) / (mechanism.high - mechanism.low) * silent.steps).astype(int)


@pytest.mark.parametrize("d", [1, 2, 3, 10_000])
@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 5.0)])
def test_all_features_together_cost_epsilon_exactly_and_no_more(epsilon, d, low, high, monkeypatch):
    """P(k) ∝ exp(-|k| / t), so the worst loss is the distance of the two places over t, in every feature."""
    mechanism = hg.Laplace(epsilon, low, high)
    noise = mechanism.noise(d)
    ends = places(mechanism, np.stack([np.full(d, low), np.full(d, high)]), monkeypatch)
    distance = int(np.abs(ends[0] - ends[1]).sum())
    assert distance == d * noise.steps
    assert Fraction(distance, noise.scale) <= Fraction(epsilon)
    assert distance / noise.scale == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.parametrize("budget", [1e-9, 1e9, 1e300])
def test_extreme_budgets_stay_on_the_safe_side(budget):
    noise = hg.Laplace(budget).noise(3)
    assert 0 < Fraction(3 * noise.steps, noise.scale) <= Fraction(budget)


def test_a_budget_too_small_for_whole_numbers_is_refused():
    with pytest.raises(ValueError, match="too small for Laplace noise on 10,000 features"):
        hg.Laplace(1e-13).noise(10_000)
    with pytest.raises(ValueError, match="too small for Gaussian noise"):
        hg.AnalyticGaussian(1e-6, 1e-12).noise(1_000_000)


def test_values_are_rounded_to_a_grid_far_finer_than_the_noise(epsilon, monkeypatch, rng):
    mechanism = hg.Laplace(epsilon, -1.0, 3.0)
    values = rng.uniform(-1, 3, (50, 4))
    noise = mechanism.noise(4)
    moved = places(mechanism, values, monkeypatch) / noise.steps * 4 - 1 - values
    assert np.abs(moved).max() <= 1e-6 * mechanism.scale(4)


def test_reports_are_on_the_grid_whatever_the_value(rng):
    """With a coarse grid: an irrational value leaves no trace beyond its place."""
    mechanism = hg.Laplace(0.001)
    noise = mechanism.noise(2)
    reports = mechanism.randomize(np.full((500, 2), 1 / np.pi), rng).astype(float)
    steps = reports * noise.steps
    # Single precision has 24 bits: the steps are whole to that.
    assert np.abs(steps - np.rint(steps)).max() <= np.abs(steps).max() * 2.0**-24


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.0, 2.0)])
def test_the_noise_is_laplace_of_the_stated_scale(low, high, source):
    mechanism = hg.Laplace(1.5, low, high)
    reports = mechanism.randomize(np.full((15_000, 2), low), source.rng)
    assert reports.dtype == np.float32
    noise = scipy.stats.laplace(loc=low, scale=2 * (high - low) / 1.5)
    assert scipy.stats.kstest(reports.ravel().astype(float), noise.cdf).pvalue > source.false_alarm


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.0, 2.0), (10.0, 11.0)])
def test_the_estimate_is_unbiased_with_the_stated_variance(low, high, chance, rng):
    truth = low + (high - low) * np.array([0.0, 0.2, 1.0])
    mechanism = hg.Laplace(2.0, low, high)
    estimates = mechanism.estimate(mechanism.randomize(np.tile(truth, (100_000, 1)), rng))
    variance = mechanism.variance(truth, 3)
    np.testing.assert_allclose(variance, 2 * (3 * (high - low) / 2.0) ** 2)
    assert chance.explains_mean_and_variance(estimates, truth, variance, false_alarm=1e-6)
