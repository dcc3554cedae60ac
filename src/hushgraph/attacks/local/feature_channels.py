"""What one report says of one feature: the probability of every answer, given the value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.stats import laplace, norm

from hushgraph.mechanisms import AnalyticGaussian, Laplace, MultiBit, OneBit
from hushgraph.mechanisms.bits import SignedBit, share
from hushgraph.mechanisms.multi_bit import MultiBitReports
from hushgraph.mechanisms.protocol import FeatureMechanism
from hushgraph.mechanisms.randomness import WORDS

Numbers = NDArray[np.float64]


class FeatureChannel(Protocol):
    """What a mechanism does to each of a person's features."""

    def success(self, values: Numbers, prior: Numbers) -> float:
        """How often the best guess among ``values``, which are this common, is right about one feature."""

    def success_of_all(self, values: Numbers, prior: Numbers) -> float:
        """How often it is right about all features together, if they are independent and all like this."""

    def log_likelihood(self, reports: Any, records: Numbers) -> Numbers:
        """Of every feature's answer, were a person's features those of each record (K, d): (n, K, d)."""


@dataclass(frozen=True, slots=True)
class SignChannel:
    """Of ``dimensions`` features, ``sampled`` at random are answered with a sign each."""

    coin: SignedBit
    sampled: int
    dimensions: int

    def success(self, values: Numbers, prior: Numbers) -> float:
        """A feature that was not drawn leaves what was known before: (1 - m/d) max π + (m/d) S."""
        drawn = self.sampled / self.dimensions
        return (1 - drawn) * float(prior.max()) + drawn * self._of_a_sign(values, prior)

    def success_of_all(self, values: Numbers, prior: Numbers) -> float:
        """S for each of the m that were drawn, max π for each of the others."""
        drawn = self._of_a_sign(values, prior) ** self.sampled
        return float(drawn * prior.max() ** (self.dimensions - self.sampled))

    def log_likelihood(self, reports: Any, records: Numbers) -> Numbers:
        """Nothing is said of a feature that was not drawn."""
        if isinstance(reports, MultiBitReports):
            columns, signs = np.atleast_2d(reports.columns), np.atleast_2d(reports.signs)
        else:
            signs = np.atleast_2d(reports)
            columns = np.broadcast_to(np.arange(signs.shape[1]), signs.shape)
        plus = self._plus(records)[:, columns].swapaxes(0, 1)
        told = np.zeros((len(signs), *records.shape))
        answered = np.log(np.where(signs[:, None] > 0, plus, 1 - plus))
        np.put_along_axis(told, np.broadcast_to(columns[:, None], answered.shape), answered, axis=2)
        return told

    def _of_a_sign(self, values: Numbers, prior: Numbers) -> float:
        plus = self._plus(values)
        return float((prior * plus).max() + (prior * (1 - plus)).max())

    def _plus(self, values: Numbers) -> Numbers:
        return np.asarray(self.coin.words_for_plus(values) / float(WORDS))


@dataclass(frozen=True, slots=True)
class NoiseChannel:
    """Every feature is answered with itself plus noise.

    The grid on which mechanisms draw it, a millionth of the noise or finer, is left out of account.
    """

    noise: Any
    scale: float
    dimensions: int

    def success(self, values: Numbers, prior: Numbers) -> float:
        """Between the points at which two values are as likely as each other, one value is best throughout.

        So the integral of max over v of π_v f(y - v) is a finite sum of differences of F.
        """
        there = prior > 0
        values, prior = values[there], prior[there]
        ends = np.unique(np.concatenate([[-np.inf, np.inf], self._crossings(values, prior)]))
        below = self.noise.cdf((ends[:, None] - values) / self.scale) * prior
        return float(np.diff(below, axis=0).max(1).sum())

    def success_of_all(self, values: Numbers, prior: Numbers) -> float:
        """Each has noise of its own."""
        return self.success(values, prior) ** self.dimensions

    def log_likelihood(self, reports: Any, records: Numbers) -> Numbers:
        """The noise that is left when the record is taken off."""
        answers = np.atleast_2d(np.asarray(reports, np.float64))
        return np.asarray(self.noise.logpdf((answers[:, None] - records) / self.scale))

    def _crossings(self, values: Numbers, prior: Numbers) -> Numbers:
        """Where π_u f(y - u) = π_v f(y - v).

        Laplace noise may have no such point, none beyond u and v, or all points there: an end of theirs is
        taken then, and it does no harm.
        """
        one, other = np.triu_indices(values.size, 1)
        low, high = np.minimum(values[one], values[other]), np.maximum(values[one], values[other])
        odds = np.log(prior[one] / prior[other]) * np.where(values[one] < values[other], 1, -1)
        if self.noise is norm:
            return np.asarray((low + high) / 2 + self.scale**2 * odds / (high - low))
        return np.asarray(np.clip((low + high) / 2 + self.scale * odds / 2, low, high))


def feature_channel(mechanism: FeatureMechanism, dimensions: int) -> FeatureChannel | None:
    """What a mechanism of hushgraph does to so many features; None for another, or without a budget."""
    if math.isinf(mechanism.epsilon):
        return None
    match mechanism:
        case MultiBit() | OneBit():
            sampled = mechanism.sampled(dimensions) if isinstance(mechanism, MultiBit) else dimensions
            coin = SignedBit(share(mechanism.epsilon, sampled), mechanism.low, mechanism.high)
            return SignChannel(coin, sampled, dimensions)
        case Laplace() | AnalyticGaussian():
            drawn = mechanism.noise(dimensions)
            scale = drawn.scale / drawn.steps * (mechanism.high - mechanism.low)
            return NoiseChannel(laplace if isinstance(mechanism, Laplace) else norm, scale, dimensions)
    return None
