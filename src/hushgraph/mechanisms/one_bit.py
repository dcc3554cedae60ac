"""The 1-bit mechanism: every feature answered with one bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hushgraph.mechanisms import bits
from hushgraph.mechanisms.randomness import Random
from hushgraph.mechanisms.ranged import Ranged
from hushgraph.mechanisms.values import FeatureValues


@dataclass(frozen=True, slots=True)
class OneBit(Ranged):
    """The 1-bit mechanism (Ding, Kulkarni & Yekhanin, NeurIPS 2017) on each of d features at ε/d.

    The multi-bit mechanism with m = d. Reports are signs, int8 of the shape of the input; the estimate
    is ``scale · sign + (low + high) / 2`` with scale (β-α)/2 · coth(ε/2d).

    The arguments are those of :class:`~hushgraph.MultiBit`, but for m.

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
    reason: ClassVar = "1-bit mechanism at ε/d for each of d features, composed"

    def _drawn(self, features: FeatureValues, rng: Random) -> NDArray[np.int8]:
        coin = self._coin(features.columns)
        return features.mapped(lambda block: coin.toss(block, rng), np.int8)

    def _estimated(self, reports: Any) -> Any:
        estimate = reports * np.float32(self._coin(reports.shape[-1]).scale)
        estimate += np.float32((self.low + self.high) / 2)
        return estimate

    def _spread(self, values: NDArray[np.float64], dimensions: int) -> NDArray[np.float64]:
        return self._coin(dimensions).scale ** 2 - (values - (self.low + self.high) / 2) ** 2

    def _coin(self, dimensions: int) -> bits.SignedBit:
        return bits.SignedBit(bits.share(self.epsilon, dimensions), self.low, self.high)
