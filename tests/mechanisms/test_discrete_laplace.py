"""Laplace noise on whole numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

import hushgraph as hg
from hushgraph.mechanisms.discrete_laplace import LARGEST_SCALE, discrete_laplace


def probabilities(scale, largest):
    """P(-largest) … P(largest), with all that is beyond in the ends."""
    ratio = np.exp(-1 / scale)
    inside = (1 - ratio) / (1 + ratio) * ratio ** np.abs(np.arange(-largest, largest + 1))
    inside[[0, -1]] = ratio**largest / (1 + ratio)
    return inside


@pytest.mark.parametrize("scale", [1, 2, 5, 40])
def test_draws_have_the_distribution_of_the_theorem(scale, rng):
    drawn = discrete_laplace(np.full(200_000, scale), rng)
    largest = 3 * scale
    counts = np.bincount(np.clip(drawn, -largest, largest) + largest, minlength=2 * largest + 1)
    # False alarms: one in 10,000 seeds, and the seed is fixed.
    assert chisquare(counts, probabilities(scale, largest) * drawn.size).pvalue > 1e-4


def test_every_draw_has_its_own_scale(rng):
    scales = np.repeat([[1], [1000]], 50_000, axis=1)
    drawn = discrete_laplace(scales, rng)
    assert drawn.shape == scales.shape
    ratio = np.exp(-1.0)
    assert drawn[0].var() == pytest.approx(2 * ratio / (1 - ratio) ** 2, rel=0.05)
    assert drawn[1].var() == pytest.approx(2e6, rel=0.05)


def test_large_scales_do_not_overflow(rng):
    drawn = discrete_laplace(np.full(20_000, LARGEST_SCALE), rng)
    assert drawn.astype(float).var() == pytest.approx(2 * float(LARGEST_SCALE) ** 2, rel=0.1)


def test_the_same_seed_draws_the_same_and_devices_draw_from_the_system():
    scales = np.full(100, 10**6)
    same = [discrete_laplace(scales, np.random.default_rng(1)) for _ in range(2)]
    assert (same[0] == same[1]).all()
    assert (discrete_laplace(scales, hg.SecureRandom()) != discrete_laplace(scales, hg.SecureRandom())).any()


@pytest.mark.parametrize(
    ("scales", "error"), [([0], ValueError), ([-1], ValueError), ([2**51], ValueError), ([1.5], TypeError)]
)
def test_scales_are_whole_and_positive(scales, error, rng):
    with pytest.raises(error, match="scales"):
        discrete_laplace(scales, rng)
