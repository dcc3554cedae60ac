"""The 1-bit mechanism: every feature answered with one bit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.mechanisms import bits, statements, unprotected
from hushgraph.mechanisms.randomness import Random
from hushgraph.mechanisms.values import FeatureValues
from hushgraph.privacy import Guarantee


@dataclass(frozen=True, slots=True)
class OneBit:
    """The 1-bit mechanism (Ding, Kulkarni & Yekhanin, NeurIPS 2017) on each of d features at ε/d.

    The multi-bit mechanism with m = d. Reports are signs, int8 of the shape of the input; the estimate
    is ``scale · sign + (low + high) / 2`` with scale (β-α)/2 · coth(ε/2d).

    Args:
        epsilon: the budget of all features of one person together.
        low, high: the public range of every feature.
        clip: clip values into the range instead of refusing them.

    One person's signs say little, the average over many says much:

    >>> mechanism, rng = OneBit(epsilon=2.0), np.random.default_rng(0)
    >>> everyone = np.tile([0.0, 0.5, 1.0], (100_000, 1))
    >>> abs(mechanism.estimate(mechanism.randomize(everyone, rng)).mean(axis=0).round(1)).tolist()
    [0.0, 0.5, 1.0]
    """

    epsilon: float
    low: float = 0.0
    high: float = 1.0
    clip: bool = False

    def __post_init__(self) -> None:
        low, high = _check.feature_range(self.low, self.high)
        _check.keep(self, epsilon=_check.epsilon(self.epsilon), low=low, high=high, clip=bool(self.clip))

    @property
    def guarantee(self) -> Guarantee:
        """What is protected."""
        reason = "1-bit mechanism at ε/d for each of d features, composed"
        return statements.about_features(self.epsilon, self.low, self.high, reason)

    def randomize(self, values: Any, rng: Random) -> Any:
        """A sign for each feature of one person (d,) or of many (n, d)."""
        features = FeatureValues(values, self.low, self.high, clip=self.clip)
        if math.isinf(self.epsilon):
            return unprotected.report(features)
        coin = self._coin(features.columns)
        signs = np.empty((features.rows, features.columns), np.int8)
        for rows, block in features.blocks():
            signs[rows] = coin.toss(block, rng)
        return signs[0] if features.single else signs

    def estimate(self, reports: Any) -> Any:
        """The unbiased estimate, float32 of the reports' shape."""
        if math.isinf(self.epsilon):
            return unprotected.estimate(reports)
        estimate = reports * np.float32(self._coin(reports.shape[-1]).scale)
        estimate += np.float32((self.low + self.high) / 2)
        return estimate

    def variance(self, values: ArrayLike, dimensions: int | None = None) -> NDArray[np.float64]:
        """The variance of the estimate of each feature (…, d) with these values.

        Of one feature alone, ``dimensions`` says how many there are.
        """
        centred = np.asarray(values, np.float64) - (self.low + self.high) / 2
        if math.isinf(self.epsilon):
            return np.zeros_like(centred)
        return self._coin(dimensions or centred.shape[-1]).scale ** 2 - centred**2

    def _coin(self, dimensions: int) -> bits.SignedBit:
        return bits.SignedBit(bits.share(self.epsilon, dimensions), self.low, self.high)
