"""The Laplace mechanism on all features of a person, on a grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from hushgraph.mechanisms.additive import AdditiveNoise, Noise
from hushgraph.mechanisms.discrete_laplace import LARGEST_SCALE, discrete_laplace


@dataclass(frozen=True, slots=True)
class Laplace(AdditiveNoise):
    """The Laplace mechanism (Dwork et al., TCC 2006): each of d features gets noise of scale d(β-α)/ε.

    Two feature vectors differ by at most d(β-α) in L1 norm, so all features together are ε-LDP. Values are
    rounded to a grid of N steps and get discrete Laplace noise of the least whole scale t ≥ dN/ε: the worst
    privacy loss is dN/t, at most ε exactly.

    The arguments are those of :class:`~hushgraph.MultiBit`, but for m.

    All features share the budget, so a hundred of them get a hundred times the noise of one:

    >>> mechanism = Laplace(epsilon=1.0)
    >>> mechanism.scale(dimensions=1), mechanism.scale(dimensions=100), mechanism.guarantee.strength
    (1.0, 100.0, 'ε = 1, proven')
    """

    epsilon: float
    low: float = 0.0
    high: float = 1.0
    clip: bool = False
    reason: ClassVar = "Laplace mechanism with L1 sensitivity d(β-α), on a grid, drawn in whole numbers"

    def scale(self, dimensions: int) -> float:
        """The scale b of the noise; its standard deviation is √2·b."""
        return dimensions * (self.high - self.low) / self.epsilon

    def noise(self, dimensions: int) -> Noise:
        """Discrete Laplace noise, of a grid whose steps are about b / 2³⁰."""
        relative = dimensions / Fraction(self.epsilon)
        steps = 1 << min(40, max(0, math.floor(2**30 / relative).bit_length() - 1))
        scale = math.ceil(relative * steps)
        if scale > LARGEST_SCALE:
            what = f"Laplace noise on {dimensions:,} features"
            raise ValueError(f"epsilon = {self.epsilon:g} is too small for {what}")
        return Noise(steps, scale, 0.5 / math.sinh(0.5 / scale) ** 2, discrete_laplace)
