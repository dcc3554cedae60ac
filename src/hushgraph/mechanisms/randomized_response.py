"""Randomised response over c classes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.mechanisms.randomness import WORDS, Random, rarest_outcome, words
from hushgraph.mechanisms.statements import stated
from hushgraph.privacy import Guarantee


@dataclass(frozen=True, slots=True)
class RandomizedResponse:
    """Generalised randomised response (Kairouz, Bonawitz & Ramage, ICML 2016; LPGNN eq. 11).

    The device keeps its label with probability p = e^ε / (e^ε + c - 1) and otherwise answers one of the
    other c - 1 labels, each with probability q = 1 / (e^ε + c - 1). This is ε-LDP, and the bound is
    reached as far as 64 bits can; an ε that is too small for these is refused.

    Args:
        epsilon: the budget of one person's label.
        num_classes: c; :meth:`for_classes` sets it later.

    >>> RandomizedResponse(epsilon=1.0, num_classes=4).keep_probability
    0.475...
    """

    epsilon: float
    num_classes: int | None = None

    def __post_init__(self) -> None:
        _check.keep(self, epsilon=_check.epsilon(self.epsilon))
        if self.num_classes is not None:
            _check.keep(self, num_classes=_check.count(self.num_classes, "num_classes", minimum=2))
            # A budget that is too small is refused here, and not on a device.
            self.probability(0, 0)

    def for_classes(self, num_classes: int) -> RandomizedResponse:
        """The same mechanism over ``num_classes`` classes."""
        if self.num_classes not in (None, num_classes):
            raise ValueError(f"the mechanism is over {self.num_classes} classes, but there are {num_classes}")
        return replace(self, num_classes=num_classes)

    @property
    def guarantee(self) -> Guarantee:
        """What is protected."""
        reason = "randomised response: the probabilities of any answer differ by at most e^ε"
        relation, public = "any two labels of one person", "the list of classes"
        return stated("label", self.epsilon, relation, reason, public)

    @property
    def keep_probability(self) -> float:
        """p, the probability that a label stays; Acc* of LPGNN's Algorithm 3."""
        return 1.0 if math.isinf(self.epsilon) else 1 - (self._classes - 1) * self.other_probability

    @property
    def other_probability(self) -> float:
        """q, the probability of each other label."""
        return math.exp(-self.epsilon) / (1 + (self._classes - 1) * math.exp(-self.epsilon))

    def probability(self, answer: int, label: int) -> Fraction:
        """The exact probability of an answer, as the device draws it."""
        others = 0 if math.isinf(self.epsilon) else rarest_outcome(self.epsilon, self._classes)
        return Fraction(WORDS - (self._classes - 1) * others if answer == label else others, WORDS)

    def randomize(self, labels: ArrayLike, rng: Random) -> NDArray[np.int64]:
        """A noisy label for one person (a number) or for many (n,)."""
        truth = self._checked(labels)
        if math.isinf(self.epsilon):
            return truth.copy()
        others = rarest_outcome(self.epsilon, self._classes)
        drawn = words(rng, truth.shape)
        # Words below (c - 1)·others name a step to another label; all the rest keep the label.
        step = np.minimum(drawn // np.uint64(others), np.uint64(self._classes - 1)) + np.uint64(1)
        return np.asarray((truth + step.astype(np.int64)) % self._classes)

    def estimate(self, reports: ArrayLike) -> NDArray[np.float64]:
        """The unbiased estimate of the one-hot label, (…, c): (1[answer = k] - q) / (p - q)."""
        p, q = self.keep_probability, self.other_probability
        return (self._one_hot(reports).astype(np.float64) - q) / (p - q)

    def variance(self, labels: ArrayLike) -> NDArray[np.float64]:
        """The variance of :meth:`estimate` for people with these labels, (…, c)."""
        p, q = self.keep_probability, self.other_probability
        return np.where(self._one_hot(labels), p * (1 - p), q * (1 - q)) / (p - q) ** 2

    @property
    def _classes(self) -> int:
        if self.num_classes is None:
            how = "RandomizedResponse(epsilon, num_classes) or for_classes"
            raise ValueError(f"num_classes is not set: use {how}")
        return self.num_classes

    def _one_hot(self, labels: ArrayLike) -> NDArray[np.bool_]:
        return np.asarray(self._checked(labels)[..., np.newaxis] == np.arange(self._classes))

    def _checked(self, labels: ArrayLike) -> NDArray[np.int64]:
        values = np.asarray(labels)
        if values.dtype.kind not in "iu":
            raise TypeError(f"labels must be whole numbers, got {values.dtype}")
        if values.size and not (values.min() >= 0 and values.max() < self._classes):
            raise ValueError(f"labels must lie in 0 … {self._classes - 1}")
        return values.astype(np.int64)


def with_any_class(labels: ArrayLike, num_classes: int, rng: Random) -> NDArray[np.int64]:
    """Labels in which each that is none (-1) is a class drawn at random.

    What a mechanism answers to that is a mixture of its answers to the classes, so that the ε between any two
    of them holds for it too. Randomised response answers it with every class alike.
    """
    filled = np.array(labels, np.int64)
    missing = filled < 0
    if missing.any():
        filled[missing] = rng.integers(0, num_classes, size=int(missing.sum()))
    return filled
