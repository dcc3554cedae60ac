import itertools

import numpy as np
import pytest
import scipy.stats

import hushgraph as hg


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 5.0)])
def test_all_features_together_cost_epsilon_and_no_more(epsilon, d, low, high):
    scale = hg.Laplace(epsilon, low, high).scale(d)
    ends = np.array(list(itertools.product((low, high), repeat=d)))
    outputs = np.array(list(itertools.product(np.linspace(low - 3 * scale, high + 3 * scale, 9), repeat=d)))
    log_density = scipy.stats.laplace.logpdf(outputs[:, np.newaxis], loc=ends, scale=scale).sum(axis=2)
    losses = log_density.max(axis=1) - log_density.min(axis=1)
    assert losses.max() == pytest.approx(epsilon, rel=1e-9)


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
