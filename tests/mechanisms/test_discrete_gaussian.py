"""Gaussian noise on whole numbers, and why it is as private as the Gaussian of the theorem."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import chisquare

import hushgraph as hg
from hushgraph.mechanisms.discrete_gaussian import LARGEST_SCALE, discrete_gaussian
from hushgraph.mechanisms.gaussian import SMOOTH, gaussian_delta


def probabilities(scale, numbers):
    """P(k) of the theorem, for whole numbers k."""
    everyone = np.exp(-(np.arange(-40 * scale, 40 * scale + 1.0) ** 2) / (2 * scale**2)).sum()
    return np.exp(-(np.asarray(numbers, float) ** 2) / (2 * scale**2)) / everyone


@pytest.mark.parametrize("scale", [1, 2, 5, 40])
def test_draws_have_the_distribution_of_the_theorem(scale, source):
    drawn = discrete_gaussian(np.full(100_000, scale), source.rng)
    largest = 3 * scale
    inside = probabilities(scale, np.arange(-largest, largest + 1))
    inside[[0, -1]] += (1 - inside.sum()) / 2
    counts = np.bincount(np.clip(drawn, -largest, largest) + largest, minlength=2 * largest + 1)
    assert chisquare(counts, inside * drawn.size).pvalue > source.false_alarm


def test_large_scales_do_not_overflow(rng):
    drawn = discrete_gaussian(np.full(20_000, LARGEST_SCALE), rng) / LARGEST_SCALE
    assert drawn.var() == pytest.approx(1.0, rel=0.05)
    assert (drawn**4).mean() == pytest.approx(3.0, rel=0.15)


def test_every_draw_has_its_own_scale(rng):
    drawn = discrete_gaussian(np.repeat([[2], [1000]], 30_000, axis=1), rng)
    assert drawn.shape == (2, 30_000)
    assert drawn.std(axis=1) == pytest.approx([2.0, 1000.0], rel=0.05)


@pytest.mark.parametrize("scale", [0, -1, 2**26])
def test_scales_are_positive_and_not_too_large(scale, rng):
    with pytest.raises(ValueError, match="scales must lie in 1 … 2²⁵"):
        discrete_gaussian([scale], rng)


@pytest.mark.parametrize("shift", [(1,), (3,), (2, 2), (5, 1), (4, -3)])
@pytest.mark.parametrize("scale", [5, 7])
def test_by_enumeration_it_is_as_private_as_the_gaussian_of_slightly_smaller_scale(scale, shift):
    """The exact δ of all outputs, against Balle & Wang's for √(scale² - 16): the step of the proof."""
    axis = np.arange(-13 * scale, 13 * scale + 1)
    chances = [probabilities(scale, axis) for _ in shift]
    shifted = [probabilities(scale, axis - by) for by in shift]
    one, other = (
        np.array([math.prod(point) for point in itertools.product(*parts)]) for parts in (chances, shifted)
    )
    for budget in (0.05, 0.5, 2.0):
        delta = np.maximum(one - math.exp(budget) * other, 0).sum()
        bound = gaussian_delta(budget, math.sqrt(scale**2 - SMOOTH**2) / math.hypot(*shift))
        assert delta <= bound + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(("budget", "delta"), [(0.1, 1e-6), (1.0, 1e-10), (1.0, 1e-3), (8.0, 1e-6)])
def test_the_mechanism_itself_keeps_its_delta_and_reaches_it(budget, delta):
    """One feature, every output of the grid: the two ends of the range are told apart by δ and no more."""
    noise = hg.AnalyticGaussian(budget, delta).noise(1)
    numbers = np.arange(-12 * noise.scale, 12 * noise.scale + noise.steps)
    log_one, log_other = (
        -((numbers - by) ** 2.0) / (2.0 * noise.scale**2) for by in (0.0, float(noise.steps))
    )
    total = noise.scale * math.sqrt(2 * math.pi)
    worse = log_one > log_other + budget
    excess = np.exp(log_one[worse]) - np.exp(budget + log_other[worse])
    assert delta * 0.999 < excess.sum() / total <= delta
