"""What the Laplace and Gaussian mechanisms share: whole-number noise on a grid, for every feature."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.mechanisms import unprotected
from hushgraph.mechanisms.randomness import Random, checked
from hushgraph.mechanisms.values import FeatureValues

# Scales of the noise beyond which a report does not come from a device.
REACH = 64
FLOATING_POINT = "the theorem is about noise that is a real number, and this noise is a floating-point number"


@dataclass(frozen=True, slots=True)
class Noise:
    """Noise in steps of a grid that divides the range of a feature.

    Attributes:
        steps: how many steps the range has.
        scale: of the noise, in steps; a whole number.
        variance: of the noise, in steps squared.
        draw: given scales, a whole number of steps for each.
    """

    steps: int
    scale: int
    variance: float
    draw: Callable[[ArrayLike, Random], NDArray[np.int64]]


class AdditiveNoise:
    """A mechanism whose report is the value on a grid plus independent noise, and so is its own estimate.

    A value is first rounded to the nearest point of a grid that is public; the noise is a whole number of
    steps, drawn in whole numbers. So the report is one of countably many, each with a known probability, and
    turning it into a floating-point number is post-processing. Rounding moves a value by less than a
    millionth of the noise or, where there is hardly any noise, of the range.
    """

    __slots__ = ()

    epsilon: float
    low: float
    high: float
    clip: bool

    def __post_init__(self) -> None:
        low, high = _check.feature_range(self.low, self.high)
        _check.keep(self, epsilon=_check.epsilon(self.epsilon), low=low, high=high, clip=bool(self.clip))

    def noise(self, dimensions: int) -> Noise:
        """The noise on each of so many features; what a subclass defines."""
        raise NotImplementedError

    def randomize(self, values: Any, rng: Random) -> Any:
        """The noisy features of one person (d,) or of many (n, d), float32."""
        features = FeatureValues(values, self.low, self.high, clip=self.clip)
        if math.isinf(self.epsilon):
            return unprotected.report(features)
        checked(rng)
        noise = self.noise(features.columns)
        self.reach(features.columns)
        step = (self.high - self.low) / noise.steps
        noisy = np.empty((features.rows, features.columns), np.float32)
        for rows, block in features.blocks():
            place = np.rint((block - self.low) / (self.high - self.low) * noise.steps).astype(np.int64)
            place += noise.draw(np.broadcast_to(noise.scale, block.shape), rng)
            noisy[rows] = self.low + step * place
        return noisy[0] if features.single else noisy

    def estimate(self, reports: Any) -> Any:
        """The report itself: the noise has mean zero."""
        return unprotected.estimate(reports)

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

    def variance(self, values: ArrayLike, dimensions: int | None = None) -> NDArray[np.float64]:
        """The variance of the estimate of each feature (…, d), whatever its value.

        Of one feature alone, ``dimensions`` says how many there are.
        """
        given = np.asarray(values, np.float64)
        if math.isinf(self.epsilon):
            return np.zeros_like(given)
        noise = self.noise(dimensions or given.shape[-1])
        self.reach(dimensions or given.shape[-1])
        return np.full_like(given, noise.variance * ((self.high - self.low) / noise.steps) ** 2)
