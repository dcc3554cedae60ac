"""What mechanisms for features share: a public range, and ε = ∞, which sends values as they are."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.mechanisms.estimates import Factored
from hushgraph.mechanisms.randomness import Random, checked
from hushgraph.mechanisms.statements import stated
from hushgraph.mechanisms.values import FeatureValues
from hushgraph.privacy import Guarantee


class Ranged:
    """A mechanism for all features of a person; what it does with a finite budget, a subclass defines."""

    __slots__ = ()

    epsilon: float
    low: float
    high: float
    clip: bool
    delta: float | None = 0.0
    reason: ClassVar[str]

    def __post_init__(self) -> None:
        low, high = _check.feature_range(self.low, self.high)
        _check.keep(self, epsilon=_check.epsilon(self.epsilon), low=low, high=high, clip=bool(self.clip))

    @property
    def guarantee(self) -> Guarantee:
        """What is protected."""
        relation, public = "any two feature vectors of one person", f"the range [{self.low:g}, {self.high:g}]"
        return stated("features", self.epsilon, relation, self.reason, public, self.delta or 0.0)

    def randomize(self, values: Any, rng: Random) -> Any:
        """What leaves the devices of one person (d,) or of many (n, d), whose features are dense or CSR."""
        features = FeatureValues(values, self.low, self.high, clip=self.clip)
        return _as_they_are(features) if math.isinf(self.epsilon) else self._drawn(features, checked(rng))

    def estimate(self, reports: Any) -> Any:
        """The unbiased estimate: (d,) for one person, (n, d) or :class:`Factored` for many."""
        if math.isfinite(self.epsilon):
            return self._estimated(reports)
        if not hasattr(reports, "indptr"):
            return reports
        return Factored(
            indptr=reports.indptr.astype(np.int64),
            indices=reports.indices.astype(np.int32),
            data=reports.data.astype(np.float32),
            shape=(int(reports.shape[0]), int(reports.shape[1])),
        )

    def variance(self, values: ArrayLike, dimensions: int | None = None) -> NDArray[np.float64]:
        """The variance of the estimate of each feature (…, d) with these values.

        Of one feature alone, ``dimensions`` says how many there are.
        """
        given = np.asarray(values, np.float64)
        if math.isinf(self.epsilon):
            return np.zeros_like(given)
        return self._spread(given, dimensions or given.shape[-1])

    def _drawn(self, features: FeatureValues, rng: Random) -> Any:
        raise NotImplementedError

    def _estimated(self, reports: Any) -> Any:
        raise NotImplementedError

    def _spread(self, values: NDArray[np.float64], dimensions: int) -> NDArray[np.float64]:
        raise NotImplementedError


def _as_they_are(features: FeatureValues) -> Any:
    """The values themselves, clipped if that was asked for: CSR stays CSR."""
    if features.sparse and features.low <= 0 <= features.high:
        clipped = features.matrix.astype(np.float32)
        np.clip(clipped.data, features.low, features.high, out=clipped.data)
        return clipped
    return features.mapped(lambda block: block, np.float32)
