"""The analytic Gaussian mechanism on a grid, and the exact δ of Gaussian noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from hushgraph import _check
from hushgraph.mechanisms.additive import AdditiveNoise, Noise
from hushgraph.mechanisms.discrete_gaussian import LARGEST_SCALE, discrete_gaussian

# The scale of the random rounding in the proof, in steps: behind it the grid cannot be seen.
SMOOTH = 4.0
# Probabilities below this have too few digits in double precision to rely on.
LEAST = 1e-300


@dataclass(frozen=True, slots=True)
class AnalyticGaussian(AdditiveNoise):
    """The analytic Gaussian mechanism (Balle & Wang, ICML 2018) on all d features at once, on a grid.

    Two feature vectors differ by at most √d·(β-α) in L2 norm; σ is the least one for which noise of that
    size is (ε, δ)-LDP, see :func:`noise_multiplier`. Values are rounded to a grid and get discrete Gaussian
    noise, drawn in whole numbers: nothing that leaves depends on floating-point noise.

    Such noise of scale s has the privacy of the Gaussian with √(s² - 16), in units of the grid: adding the
    latter and then going to a random grid point, near ones with weights of a Gaussian of scale 4, ends where
    discrete noise of scale s does, but for factors within 10⁻¹³⁰ of 1 (docs/privacy.md has the proof). A part
    in 10¹² of ε and δ is spared for these, and for noise beyond 64 scales, which is not drawn.

    The arguments are those of :class:`~hushgraph.MultiBit`, but for m; and ``delta``, which is required and
    should be well below 1/n for n people.

    A hundred features get ten times the noise of one, where Laplace noise would be a hundred times as large:

    >>> mechanism = AnalyticGaussian(epsilon=1.0, delta=1e-5)
    >>> round(mechanism.sigma(dimensions=1), 2), round(mechanism.sigma(dimensions=100), 1)
    (3.73, 37.3)
    """

    epsilon: float
    delta: float | None = None
    low: float = 0.0
    high: float = 1.0
    clip: bool = False
    reason: ClassVar = "analytic Gaussian mechanism with L2 sensitivity √d·(β-α), Balle & Wang Theorem 8"

    def __post_init__(self) -> None:
        AdditiveNoise.__post_init__(self)
        _check.keep(self, delta=_check.delta(self.delta))

    def sigma(self, dimensions: int) -> float:
        """The standard deviation of the noise on each feature."""
        sensitivity = math.sqrt(dimensions) * (self.high - self.low)
        return sensitivity * noise_multiplier(self.epsilon, _check.delta(self.delta))

    def noise(self, dimensions: int) -> Noise:
        """Discrete Gaussian noise, of a grid whose steps are about σ / 2²⁰."""
        spare = 1 - 2.0**-40
        multiplier = noise_multiplier(self.epsilon * spare, _check.delta(self.delta) * spare)
        relative = multiplier * math.sqrt(dimensions)
        steps = 1 << min(24, max(0, math.floor(2.0**20 / relative).bit_length() - 1))
        own = relative * steps * (1 + 2.0**-40)
        scale = math.ceil(math.sqrt(own * own + SMOOTH * SMOOTH)) + 1
        if scale > LARGEST_SCALE:
            what = f"Gaussian noise on {dimensions:,} features"
            raise ValueError(f"epsilon = {self.epsilon:g} is too small for {what}")
        return Noise(steps, scale, float(scale) ** 2, discrete_gaussian)


def gaussian_delta(epsilon: float, multiplier: float) -> float:
    """An upper bound of the δ of Gaussian noise with σ = multiplier · sensitivity; tight where ε < 700.

    δ = Φ(1/2s - εs) - e^ε·Φ(-1/2s - εs) with s the multiplier (Balle & Wang, Theorem 8). The difference
    cancels, so both terms are taken on their safe side, and a calibration that uses this fails on that side:

    - No argument of Φ exceeds ``size`` = 1/2s + εs. Six roundings, of which the first two share one ``size``,
      move it by 5·2⁻⁵³ · ``size`` at most. It is moved by 8·2⁻⁵³ · ``size`` before Φ, which rises, is taken.
    - C's erfc and exp are taken to be right to 2⁻⁴⁹ of their value, eight units in the last place; with the
      roundings of products and of the difference that stays below 2⁻⁴⁷.
    - Below ``LEAST`` there is no such precision: a second term that small is left out, and as much is added.
    """
    size, gap = 0.5 / multiplier + epsilon * multiplier, 0.5 / multiplier - epsilon * multiplier
    moved = 2.0**-50 * size
    first, tail = _normal_cdf(gap + moved), _normal_cdf(-size - moved)
    second = math.exp(epsilon) * tail if epsilon < 700 and tail > LEAST else 0.0
    return max(0.0, first * (1 + 2.0**-47) - second * (1 - 2.0**-47)) + LEAST


def noise_multiplier(epsilon: float, delta: float) -> float:
    """The least σ / sensitivity with which Gaussian noise is (ε, δ)-DP; an error if none is found.

    >>> round(noise_multiplier(1.0, 1e-5), 4)
    3.7306
    """
    epsilon, delta = _check.epsilon(epsilon), _check.delta(delta)
    if delta < 1e10 * LEAST:
        raise ArithmeticError(f"delta must be at least {1e10 * LEAST:g} for Gaussian noise, got {delta:g}")
    enough = 1.0
    while gaussian_delta(epsilon, enough) > delta:
        enough *= 2
        if enough > 1e9:
            asked = f"(ε, δ) = ({epsilon:g}, {delta:g})"
            raise ArithmeticError(f"no Gaussian noise gives {asked} in double precision")
    too_little = enough
    while gaussian_delta(epsilon, too_little) <= delta:
        too_little /= 2
    while enough / too_little > 1 + 1e-12:
        middle = (enough + too_little) / 2
        if gaussian_delta(epsilon, middle) <= delta:
            enough = middle
        else:
            too_little = middle
    return enough


def _normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))
