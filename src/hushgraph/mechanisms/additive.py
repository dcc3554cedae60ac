"""What the Laplace and Gaussian mechanisms share: noise added to every feature."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.mechanisms import unprotected
from hushgraph.mechanisms.randomness import Random, checked
from hushgraph.mechanisms.values import FeatureValues

FLOATING_POINT = "the theorem is about noise that is a real number, and this noise is a floating-point number"


class AdditiveNoise:
    """A mechanism whose report is the value plus independent noise, and so is its own estimate."""

    __slots__ = ()

    epsilon: float
    low: float
    high: float
    clip: bool

    def __post_init__(self) -> None:
        low, high = _check.feature_range(self.low, self.high)
        _check.keep(self, epsilon=_check.epsilon(self.epsilon), low=low, high=high)

    def noise(self, dimensions: int, size: tuple[int, int], rng: Random) -> NDArray[np.float64]:
        """Noise for a block of people; what a subclass defines."""
        raise NotImplementedError

    def noise_variance(self, dimensions: int) -> float:
        """The variance of the noise on each feature; what a subclass defines."""
        raise NotImplementedError

    def randomize(self, values: Any, rng: Random) -> Any:
        """The noisy features of one person (d,) or of many (n, d), float32."""
        features = FeatureValues(values, self.low, self.high, clip=self.clip)
        if math.isinf(self.epsilon):
            return unprotected.report(features)
        checked(rng)
        noisy = np.empty((features.rows, features.columns), np.float32)
        for rows, block in features.blocks():
            noisy[rows] = block + self.noise(features.columns, block.shape, rng)
        return noisy[0] if features.single else noisy

    def estimate(self, reports: Any) -> Any:
        """The report itself: the noise has mean zero."""
        return unprotected.estimate(reports)

    def variance(self, values: ArrayLike, dimensions: int) -> NDArray[np.float64]:
        """The variance of the estimate of one feature; the same for all values."""
        constant = 0.0 if math.isinf(self.epsilon) else self.noise_variance(dimensions)
        return np.full_like(np.asarray(values, np.float64), constant)
