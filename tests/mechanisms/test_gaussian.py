import math

import mpmath
import numpy as np
import pytest
import scipy.stats

import hushgraph as hg
from hushgraph.mechanisms.gaussian import SMOOTH, gaussian_delta, noise_multiplier

BUDGETS = [
    (0.01, 1e-10), (0.01, 0.1), (0.1, 1e-5), (1.0, 1e-10), (1.0, 1e-5), (1.0, 0.5), (2.0, 1e-5), (5.0, 1e-8),
    (10.0, 1e-6), (30.0, 1e-12), (100.0, 1e-9), (300.0, 0.01),
]  # fmt: skip


def true_delta(epsilon, multiplier):
    """The hockey-stick divergence of N(0, s²) from N(1, s²), by integration with 40 digits."""
    with mpmath.workdps(40):
        s = mpmath.mpf(multiplier)
        odds = mpmath.exp(mpmath.mpf(epsilon))
        # The first density exceeds e^ε times the second to the left of this point.
        border = mpmath.mpf(1) / 2 - epsilon * s**2
        points = [min(border, mpmath.mpf(0)) - s * width for width in (40, 20, 10, 5, 2, 1)] + [border]
        excess = lambda x: mpmath.npdf(x, 0, s) - odds * mpmath.npdf(x, 1, s)  # noqa: E731
        return mpmath.quad(excess, points)


@pytest.mark.slow
@pytest.mark.parametrize(("budget", "delta"), BUDGETS)
def test_the_noise_suffices_and_a_thousandth_less_does_not(budget, delta):
    multiplier = noise_multiplier(budget, delta)
    assert true_delta(budget, multiplier) <= delta
    assert true_delta(budget, 0.999 * multiplier) > delta


def closed_form(epsilon, multiplier):
    """δ by Balle & Wang's formula with 60 digits, and more where two large numbers cancel."""
    with mpmath.workdps(60 + max(0, math.frexp(epsilon)[1])):
        epsilon, s = mpmath.mpf(epsilon), mpmath.mpf(multiplier)
        first, second = (mpmath.erfc((sign / (2 * s) + epsilon * s) / mpmath.sqrt(2)) / 2 for sign in (-1, 1))
        return first - mpmath.exp(epsilon) * second


def budgets(count, seed):
    """Pairs (ε, δ) over all orders of magnitude: half with a δ that somebody might ask for."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        exponent = rng.uniform(-290 if number % 2 else -20, np.log10(0.5))
        yield 10 ** rng.uniform(-6, 3), max(1e-290, 10**exponent)


EXTREME = [
    (50.0, 1e-289), (10.0, 1e-280), (1.0, 1e-200), (650.0, 1e-6), (699.0, 1e-10), (1e20, 0.5), (1e150, 1e-9),
    (1.7e308, 1e-290),
]  # fmt: skip


def test_the_noise_suffices_over_all_orders_of_magnitude():
    for budget, delta in [*budgets(400, seed=3), *EXTREME]:
        assert closed_form(budget, noise_multiplier(budget, delta)) <= delta


@pytest.mark.slow
def test_the_noise_suffices_at_thousands_of_budgets():
    for budget, delta in budgets(8000, seed=4):
        assert closed_form(budget, noise_multiplier(budget, delta)) <= delta


@pytest.mark.parametrize("exponents", [(-6, 0), (0, 2.84), (2.85, 16), (16, 40), (40, 150)])
def test_what_is_stated_of_any_noise_is_never_below_its_delta(exponents):
    """Where two large numbers cancel, or two equal ones: no search stands between this and rounding."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        budget, x = 10 ** rng.uniform(*exponents), rng.uniform(-9, 3)
        # Noise for which 1/2s - εs is about x, as far as doubles can tell.
        multiplier = (-x + math.hypot(x, math.sqrt(2 * budget))) / (2 * budget)
        assert closed_form(budget, multiplier) <= gaussian_delta(budget, multiplier)


@pytest.mark.parametrize("d", [1, 3, 1000])
def test_the_noise_on_the_grid_suffices_too(d):
    """By the continuous Gaussian of scale √(s² - 16) that it is as private as."""
    for budget, delta in [(0.1, 1e-3), (1.0, 1e-5), (50.0, 1e-200), (699.0, 0.5), (1e6, 1e-9)]:
        noise = hg.AnalyticGaussian(budget, delta).noise(d)
        with mpmath.workdps(60):
            multiplier = mpmath.sqrt((noise.scale**2 - int(SMOOTH) ** 2) / mpmath.mpf(d)) / noise.steps
        assert closed_form(budget, multiplier) < delta


@pytest.mark.parametrize("d", [1, 2, 50])
@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 5.0)])
def test_sigma_covers_the_two_feature_vectors_that_differ_most(d, low, high):
    sigma = hg.AnalyticGaussian(1.0, 1e-5, low, high).sigma(d)
    distance = np.linalg.norm(np.full(d, high) - np.full(d, low))
    assert sigma / distance == pytest.approx(noise_multiplier(1.0, 1e-5))


def test_less_privacy_needs_less_noise():
    by_epsilon = [noise_multiplier(epsilon, 1e-6) for epsilon in (0.01, 0.1, 1, 10, 100, 699, 701, 10_000)]
    by_delta = [noise_multiplier(1.0, delta) for delta in (1e-12, 1e-9, 1e-6, 1e-3, 0.5)]
    assert by_epsilon == sorted(by_epsilon, reverse=True)
    assert by_delta == sorted(by_delta, reverse=True)
    assert min(by_epsilon + by_delta) > 0


def test_what_cannot_be_calibrated_is_an_error_and_not_noise_of_zero():
    with pytest.raises(ArithmeticError, match="no Gaussian noise"):
        noise_multiplier(1e-12, 1e-30)
    with pytest.raises(ArithmeticError, match="delta must be at least 1e-290"):
        noise_multiplier(50.0, 1e-300)


@pytest.mark.parametrize("delta", [None, 0, 0.0, 1, 1.0, -1e-5, math.nan, math.inf])
def test_delta_is_required_and_lies_between_0_and_1(delta):
    with pytest.raises(ValueError, match="delta"):
        hg.AnalyticGaussian(1.0, delta)


@pytest.mark.parametrize("delta", ["1e-5", True, [1e-5]])
def test_delta_must_be_a_number(delta):
    with pytest.raises(TypeError, match="delta must be a number"):
        hg.AnalyticGaussian(1.0, delta)


def test_delta_has_no_default():
    with pytest.raises(ValueError, match="delta is required"):
        hg.AnalyticGaussian(1.0)


def test_the_noise_is_gaussian_of_the_stated_sigma(source):
    mechanism = hg.AnalyticGaussian(1.5, 1e-5, -3.0, 2.0)
    reports = mechanism.randomize(np.full((15_000, 2), -3.0), source.rng)
    assert reports.dtype == np.float32
    noise = scipy.stats.norm(loc=-3.0, scale=mechanism.sigma(2))
    assert scipy.stats.kstest(reports.ravel().astype(float), noise.cdf).pvalue > source.false_alarm


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.0, 2.0), (10.0, 11.0)])
def test_the_estimate_is_unbiased_with_the_stated_variance(low, high, chance, rng):
    truth = low + (high - low) * np.array([0.0, 0.2, 1.0])
    mechanism = hg.AnalyticGaussian(2.0, 1e-5, low, high)
    estimates = mechanism.estimate(mechanism.randomize(np.tile(truth, (100_000, 1)), rng))
    variance = mechanism.variance(truth, 3)
    np.testing.assert_allclose(variance, mechanism.sigma(3) ** 2, rtol=1e-4)
    assert chance.explains_mean_and_variance(estimates, truth, variance, false_alarm=1e-6)
