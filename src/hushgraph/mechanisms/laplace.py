"""The Laplace mechanism on all features of a person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushgraph.mechanisms import statements
from hushgraph.mechanisms.additive import FLOATING_POINT, AdditiveNoise
from hushgraph.mechanisms.randomness import Random
from hushgraph.privacy import Guarantee


@dataclass(frozen=True, slots=True)
class Laplace(AdditiveNoise):
    """The Laplace mechanism (Dwork et al., TCC 2006): each of d features gets noise of scale d(β-α)/ε.

    Two feature vectors differ by at most d(β-α) in L1 norm, so all features together are ε-LDP.

    Args:
        epsilon: the budget of all features of one person together.
        low, high: the public range of every feature.
        clip: clip values into the range instead of refusing them.
    """

    epsilon: float
    low: float = 0.0
    high: float = 1.0
    clip: bool = False

    @property
    def guarantee(self) -> Guarantee:
        """What is protected."""
        reason = "Laplace mechanism with L1 sensitivity d(β-α)"
        return statements.about_features(self.epsilon, self.low, self.high, reason).claimed(FLOATING_POINT)

    def scale(self, dimensions: int) -> float:
        """The scale b of the noise; its standard deviation is √2·b."""
        return dimensions * (self.high - self.low) / self.epsilon

    def noise(self, dimensions: int, size: tuple[int, int], rng: Random) -> NDArray[np.float64]:
        """Laplace noise."""
        drawn: NDArray[np.float64] = rng.laplace(0.0, self.scale(dimensions), size=size)
        return drawn

    def noise_variance(self, dimensions: int) -> float:
        """2·b²."""
        return 2 * self.scale(dimensions) ** 2
