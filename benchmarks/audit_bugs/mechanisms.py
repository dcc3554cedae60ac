"""Mechanisms that tell more than they say."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import hushgraph as hg
from hushgraph.audit import Audit, audit_mechanism, extreme_pairs
from hushgraph.mechanisms import bits
from hushgraph.mechanisms.additive import Noise
from hushgraph.mechanisms.randomness import WORDS, words

from .bug import ANSWERS, Bug


class WholeBudgetPerSign(hg.MultiBit):
    """ε instead of ε/m for each of m signs."""

    def _coin(self, m: int) -> bits.SignedBit:
        return bits.SignedBit(self.epsilon, self.low, self.high)


class WholeBudgetPerFeature(hg.OneBit):
    """ε instead of ε/d for each of d features."""

    def _coin(self, dimensions: int) -> bits.SignedBit:
        return bits.SignedBit(self.epsilon, self.low, self.high)


class TopFeatures(hg.MultiBit):
    """The features that are answered are the largest ones, and not drawn."""

    def _drawn(self, features: Any, rng: Any) -> Any:
        columns = np.argsort(-np.asarray(features.matrix), axis=1)[:, : self.sampled(features.columns)]
        return self._answered(features, np.sort(columns, axis=1), rng)


class Reseeded(hg.MultiBit):
    """Every call begins with the same randomness."""

    def randomize(self, values: Any, rng: Any) -> Any:
        """The answers."""
        return hg.MultiBit.randomize(self, values, np.random.default_rng(0))


class Swapped(hg.RandomizedResponse):
    """Answers the truth where another class was meant, and the other way round."""

    def randomize(self, labels: Any, rng: Any) -> Any:
        """The answers."""
        truth = np.asarray(labels)
        keeps = words(rng, truth.shape) >= np.uint64(int(self.keep_probability * WORDS))
        return np.where(keeps, truth, (truth + rng.integers(1, self._classes, truth.shape)) % self._classes)


class OffByOnePercent(hg.RandomizedResponse):
    """Keeps the truth with a probability that is 0.01 too high."""

    def randomize(self, labels: Any, rng: Any) -> Any:
        """The answers."""
        truth = np.asarray(labels)
        keeps = words(rng, truth.shape) < np.uint64(int((self.keep_probability + 0.01) * WORDS))
        return np.where(keeps, truth, (truth + rng.integers(1, self._classes, truth.shape)) % self._classes)


class HalfLaplace(hg.Laplace):
    """Half of the noise."""

    def noise(self, dimensions: int) -> Noise:
        """The noise."""
        own = hg.Laplace.noise(self, dimensions)
        return replace(own, scale=own.scale // 2)


class LaplaceForOne(hg.Laplace):
    """The noise of one feature on each of several."""

    def noise(self, dimensions: int) -> Noise:
        """The noise."""
        return hg.Laplace.noise(self, 1)


class FirstFeatureOpen(hg.Laplace):
    """The first feature has no noise."""

    def _drawn(self, features: Any, rng: Any) -> Any:
        drawn = hg.Laplace._drawn(self, features, rng)
        drawn[:, 0] = features.matrix[:, 0]
        return drawn


class SharedNoise(hg.Laplace):
    """All features of a person have the same noise."""

    def _drawn(self, features: Any, rng: Any) -> Any:
        drawn = hg.Laplace._drawn(self, features, rng)
        return features.matrix + (drawn - features.matrix)[:, :1]


class NoiseOfTheCall(hg.Laplace):
    """Everybody in a call has the same noise."""

    def _drawn(self, features: Any, rng: Any) -> Any:
        drawn = hg.Laplace._drawn(self, features, rng)
        return features.matrix + (drawn - features.matrix)[:1]


class HalfGaussian(hg.AnalyticGaussian):
    """Half of the noise."""

    def noise(self, dimensions: int) -> Noise:
        """The noise."""
        own = hg.AnalyticGaussian.noise(self, dimensions)
        return replace(own, scale=own.scale // 2)


class TwiceTheListBudget(hg.AdjacencyRandomizedResponse):
    """An entry is flipped as rarely as at twice the budget."""

    def randomize(self, values: Any, rng: Any) -> Any:
        """The answers."""
        return hg.AdjacencyRandomizedResponse(2 * self.epsilon).randomize(values, rng)


class NeverForgetsAFriend(hg.AdjacencyRandomizedResponse):
    """Adds false names and never leaves out a true one."""

    def randomize(self, values: Any, rng: Any) -> Any:
        """The answers."""
        drawn = hg.AdjacencyRandomizedResponse.randomize(self, values, rng)
        names = np.union1d(drawn.names, values.names)
        return hg.NeighborLists(np.array([0, names.size]), names, values.owners, values.num_people)


class StopsEarly:
    """Eight noisy epochs, of which that one is shown that does best on the private label.

    Each epoch's weight is released with enough noise; which of them is kept is released without any.
    """

    epsilon = 1.0

    def __repr__(self) -> str:
        return "the last of eight noisy epochs"

    def randomize(self, labels: Any, rng: Any) -> Any:
        """The sign of the weight that was kept, for each person."""
        signs = 2.0 * np.asarray(labels) - 1
        epochs = signs[:, None] + rng.laplace(0.0, 2 * 8 / self.epsilon, (len(signs), 8))
        return (epochs * self.kept(epochs, signs, rng)).sum(axis=1)

    def kept(self, epochs: Any, signs: Any, rng: Any) -> Any:
        """Which epoch is shown."""
        return np.arange(8) == (epochs * signs[:, None]).argmax(axis=1)[:, None]


class StopsWhereItShould(StopsEarly):
    """The last epoch is shown."""

    def kept(self, epochs: Any, signs: Any, rng: Any) -> Any:
        """Which epoch is shown."""
        return np.arange(8) == 7


def mechanism(name: str, wrong: Any, right: Any, pair: int = 0, size: int = 3, samples: int = ANSWERS) -> Bug:
    """Samples of a mechanism between one of its pairs of extreme values."""

    extreme, *values = (
        ("two labels", 0, 1) if isinstance(right, StopsEarly) else extreme_pairs(right, size)[pair]
    )

    def audited(one: Any, seed: int) -> Audit:
        return audit_mechanism(one, *values, trials=samples, rng=np.random.default_rng(seed))

    of = f"{right}, {extreme}"
    return Bug(name, of, "mechanism", samples, partial(audited, wrong), partial(audited, right))


RESPONSE, LISTED, LAPLACE = (
    hg.RandomizedResponse(1.0, 2),
    hg.AdjacencyRandomizedResponse(1.0),
    hg.Laplace(1.0),
)
MECHANISMS = [
    mechanism("ε for each of three signs, not ε/3", WholeBudgetPerSign(3.0, m=3), hg.MultiBit(3.0, m=3)),
    mechanism("ε for each of three features, not ε/3", WholeBudgetPerFeature(1.0), hg.OneBit(1.0)),
    mechanism("answered features are the largest ones", TopFeatures(1.0), hg.MultiBit(1.0), pair=2),
    mechanism("a generator that every call seeds anew", Reseeded(1.0), hg.MultiBit(1.0)),
    mechanism(
        "probabilities of ten classes swapped", Swapped(0.5, 10), hg.RandomizedResponse(0.5, 10), samples=2000
    ),
    mechanism("a probability 0.01 too high", OffByOnePercent(1.0, 2), RESPONSE),
    mechanism("a probability 0.01 too high", OffByOnePercent(1.0, 2), RESPONSE, samples=100_000),
    mechanism("Laplace noise halved", HalfLaplace(1.0), LAPLACE, size=1, samples=5000),
    mechanism("Laplace noise of one feature on three", LaplaceForOne(1.0), LAPLACE, samples=5000),
    mechanism("no noise on the first feature", FirstFeatureOpen(1.0), LAPLACE, samples=5000),
    mechanism("one noise for all features", SharedNoise(1.0), LAPLACE, pair=2, samples=5000),
    mechanism("one noise for everybody in a call", NoiseOfTheCall(1.0), LAPLACE, samples=5000),
    mechanism(
        "Gaussian noise halved", HalfGaussian(1.0, 0.01), hg.AnalyticGaussian(1.0, 0.01), size=1, samples=5000
    ),
    mechanism("an entry of a list at twice its budget", TwiceTheListBudget(1.0), LISTED, samples=5000),
    mechanism("a list that leaves out no true friend", NeverForgetsAFriend(1.0), LISTED, samples=5000),
    mechanism("early stopping by a private label", StopsEarly(), StopsWhereItShould(), samples=5000),
]
