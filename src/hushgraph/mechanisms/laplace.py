"""The Laplace mechanism on all features of a person, on a grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from hushgraph.mechanisms import statements
from hushgraph.mechanisms.additive import AdditiveNoise, Noise
from hushgraph.mechanisms.discrete_laplace import LARGEST_SCALE, discrete_laplace
from hushgraph.privacy import Guarantee


@dataclass(frozen=True, slots=True)
class Laplace(AdditiveNoise):
    """The Laplace mechanism (Dwork et al., TCC 2006): each of d features gets noise of scale d(β-α)/ε.

    Two feature vectors differ by at most d(β-α) in L1 norm, so all features together are ε-LDP. Values are
    rounded to a grid of N steps and get discrete Laplace noise of the least whole scale t ≥ dN/ε: the worst
    privacy loss is dN/t, at most ε exactly.

    Args:
        epsilon: the budget of all features of one person together.
        low, high: the public range of every feature.
        clip: clip values into the range instead of refusing them.

    All features share the budget, so a hundred of them get a hundred times the noise of one:

    >>> mechanism = Laplace(epsilon=1.0)
    >>> mechanism.scale(dimensions=1), mechanism.scale(dimensions=100), mechanism.guarantee.strength
    (1.0, 100.0, 'ε = 1, proven')
    """

    epsilon: float
    low: float = 0.0
    high: float = 1.0
    clip: bool = False

    @property
    def guarantee(self) -> Guarantee:
        """What is protected."""
        reason = "Laplace mechanism with L1 sensitivity d(β-α), on a grid, drawn in whole numbers"
        return statements.about_features(self.epsilon, self.low, self.high, reason)

    def scale(self, dimensions: int) -> float:
        """The scale b of the noise; its standard deviation is √2·b."""
        return dimensions * (self.high - self.low) / self.epsilon

    def noise(self, dimensions: int) -> Noise:
        """Discrete Laplace noise, of a grid whose steps are about b / 2³⁰."""
        relative = math.log2(dimensions) - math.log2(self.epsilon)
        steps = 2 ** min(40, max(0, math.floor(30 - relative)))
        scale = math.ceil(Fraction(dimensions * steps) / Fraction(self.epsilon))
        if scale > LARGEST_SCALE:
            raise ValueError(
                f"epsilon = {self.epsilon:g} is too small for Laplace noise on {dimensions:,} features"
            )
        return Noise(steps, scale, 0.5 / math.sinh(0.5 / scale) ** 2, discrete_laplace)
