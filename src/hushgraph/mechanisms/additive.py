"""What the Laplace and Gaussian mechanisms share: whole-number noise on a grid, for every feature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph.mechanisms.randomness import Random
from hushgraph.mechanisms.ranged import Ranged
from hushgraph.mechanisms.values import FeatureValues

# Scales of the noise beyond which a report does not come from a device.
REACH = 64
FLOATING_POINT = "the theorem is about noise that is a real number, and this noise is a floating-point number"


@dataclass(frozen=True, slots=True)
class Noise:
    """Noise in steps of a grid, of which the range of a feature has ``steps``.

    Scale and variance are in steps and steps squared; ``draw`` gives a whole number of steps for each scale.
    """

    steps: int
    scale: int
    variance: float
    draw: Callable[[ArrayLike, Random], NDArray[np.int64]]


class AdditiveNoise(Ranged):
    """A mechanism whose report is the value on a grid plus independent noise, and so is its own estimate.

    A value is first rounded to the nearest point of a grid that is public; the noise is a whole number of
    steps, drawn in whole numbers. So the report is one of countably many, each with a known probability, and
    turning it into a floating-point number is post-processing. Rounding moves a value by less than a
    millionth of the noise or, where there is hardly any noise, of the range.
    """

    __slots__ = ()

    def noise(self, dimensions: int) -> Noise:
        """The noise on each of so many features; what a subclass defines."""
        raise NotImplementedError

    def _drawn(self, features: FeatureValues, rng: Random) -> NDArray[np.float32]:
        noise = self.noise(features.columns)
        self.reach(features.columns)
        step = (self.high - self.low) / noise.steps

        def noisy(block: NDArray[np.float64]) -> NDArray[Any]:
            place = np.rint((block - self.low) / (self.high - self.low) * noise.steps).astype(np.int64)
            place += noise.draw(np.broadcast_to(noise.scale, block.shape), rng)
            return self.low + step * place

        return features.mapped(noisy, np.float32)

    def _estimated(self, reports: Any) -> Any:
        return reports  # the noise has mean zero

    def reach(self, dimensions: int) -> tuple[float, float]:
        """Between which numbers a report lies, but for a chance of 10⁻²⁷ in each feature."""
        noise = self.noise(dimensions)
        beyond = REACH * noise.scale / noise.steps * (self.high - self.low)
        low, high = self.low - beyond, self.high + beyond
        if not max(-low, high) < float(np.finfo(np.float32).max):
            raise ValueError(
                f"the noise on a range of [{self.low:g}, {self.high:g}] may not fit single precision: choose"
                " other units"
            )
        return low, high

    def _spread(self, values: NDArray[np.float64], dimensions: int) -> NDArray[np.float64]:
        noise = self.noise(dimensions)
        self.reach(dimensions)
        return np.full_like(values, noise.variance * ((self.high - self.low) / noise.steps) ** 2)
