"""The multi-bit mechanism: a few randomly chosen features, one private bit each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.mechanisms import bits
from hushgraph.mechanisms.estimates import Factored
from hushgraph.mechanisms.randomness import Random, checked
from hushgraph.mechanisms.ranged import Ranged
from hushgraph.mechanisms.sampling import sample_columns
from hushgraph.mechanisms.values import FeatureValues


@dataclass(frozen=True, slots=True, eq=False)
class MultiBitReports:
    """What leaves the devices: for each person m of d columns, int32, and m signs, int8, -1 or 1.

    Shapes: both (n, m), or (m,) for one person.

    >>> MultiBitReports(np.array([7], np.int32), np.array([0], np.int8), dimensions=10)
    Traceback (most recent call last):
    ValueError: signs must be -1 or 1
    """

    columns: NDArray[np.int32]
    signs: NDArray[np.int8]
    dimensions: int

    def __post_init__(self) -> None:
        if self.columns.shape != self.signs.shape or self.columns.ndim not in (1, 2):
            raise ValueError(
                "columns and signs must have one shape, (m,) or (n, m); "
                f"got {self.columns.shape} and {self.signs.shape}"
            )
        if self.columns.size and not (self.columns.min() >= 0 and self.columns.max() < self.dimensions):
            raise ValueError(f"columns must lie in 0 … {self.dimensions - 1}")
        if not np.isin(self.signs, (-1, 1)).all():
            raise ValueError("signs must be -1 or 1")


@dataclass(frozen=True, slots=True)
class MultiBit(Ranged):
    r"""The multi-bit mechanism of LPGNN (Sajadmanesh & Gatica-Perez, CCS 2021, Algorithm 1).

    The device draws m of d features without replacement and answers each with a sign:

    .. math::
        P[x^*_i = 1] = \frac{1}{e^{\epsilon/m}+1} +
        \frac{x_i - \alpha}{\beta - \alpha} \cdot \frac{e^{\epsilon/m}-1}{e^{\epsilon/m}+1}

    The server's unbiased estimate (eq. 4) is

    .. math::
        x'_i = \frac{d(\beta-\alpha)}{2m} \cdot \frac{e^{\epsilon/m}+1}{e^{\epsilon/m}-1} \, x^*_i
        + \frac{\alpha+\beta}{2}

    Guarantee (Theorem 3.1): ε-LDP, whatever m and whoever knows which features were drawn, because
    each sign costs ε/m. Conditions: one answer a person, and a range that is public.

    Args:
        epsilon: the budget of all features of one person together.
        low, high: the public range [α, β] of every feature.
        m: how many features to answer. ``"optimal"`` takes the integer that minimises the worst-case
            variance; ``"paper"`` takes max(1, min(d, ⌊ε/2.18⌋)) of Proposition 3.4, which is up to a third
            worse; a number is taken as it is.
        clip: clip values into the range instead of refusing them.

    >>> mechanism = MultiBit(epsilon=1.0)
    >>> report = mechanism.randomize(np.array([0.0, 1.0, 1.0, 0.0]), np.random.default_rng(7))
    >>> report.columns.shape, mechanism.guarantee.strength
    ((1,), 'ε = 1, proven')
    """

    epsilon: float
    low: float = 0.0
    high: float = 1.0
    m: int | Literal["optimal", "paper"] = "optimal"
    clip: bool = False
    reason: ClassVar = "multi-bit mechanism, LPGNN Theorem 3.1: m signs at ε/m each"

    def __post_init__(self) -> None:
        Ranged.__post_init__(self)
        if isinstance(self.m, str):
            _check.choice(self.m, "m", ("optimal", "paper"))
        else:
            _check.count(self.m, "m", minimum=1)

    def sampled(self, dimensions: int) -> int:
        """How many of ``dimensions`` features are answered."""
        if self.m == "optimal":
            return optimal_m(self.epsilon, dimensions)
        if self.m == "paper":
            return max(1, math.floor(min(dimensions, self.epsilon / 2.18)))
        if self.m > dimensions:
            raise ValueError(f"m must be at most the number of features, {dimensions}; got {self.m}")
        return self.m

    def _drawn(self, features: FeatureValues, rng: Random) -> MultiBitReports:
        """Time and memory follow n·m and the stored values, never n·d."""
        m = self.sampled(features.columns)
        columns = sample_columns(features.rows, features.columns, m, rng)
        return self._answered(features, columns, rng)

    def randomize_at(self, columns: NDArray[Any], values: Any, rng: Random) -> MultiBitReports:
        """What :meth:`randomize` gives where these columns were sampled, (m,) or (n, m), by a public rule."""
        features = FeatureValues(values, self.low, self.high, clip=self.clip)
        if columns.shape[-1] != self.sampled(features.columns):
            raise ValueError(f"columns must be {self.sampled(features.columns)} for each person")
        return self._answered(features, np.atleast_2d(columns), checked(rng))

    def _answered(self, features: FeatureValues, columns: NDArray[Any], rng: Random) -> MultiBitReports:
        signs = np.empty(columns.shape, np.int8)
        coin = self._coin(columns.shape[1])
        for rows, picked in features.at(columns):
            signs[rows] = coin.toss(picked, rng)
        if features.single:
            columns, signs = columns[0], signs[0]
        return MultiBitReports(columns.astype(np.int32), signs, features.columns)

    def _estimated(self, reports: Any) -> Any:
        if not isinstance(reports, MultiBitReports):
            raise TypeError(f"reports must be MultiBitReports, got {type(reports).__name__}")
        single = reports.columns.ndim == 1
        columns, signs = np.atleast_2d(reports.columns), np.atleast_2d(reports.signs)
        people, m = columns.shape
        scale = reports.dimensions / m * self._coin(m).scale
        factored = Factored(
            indptr=np.arange(0, people * m + 1, m, dtype=np.int64),
            indices=columns.ravel(),
            data=signs.ravel() * np.float32(scale),
            shape=(people, reports.dimensions),
            midpoint=(self.low + self.high) / 2,
        )
        return factored.toarray()[0] if single else factored

    def _spread(self, values: NDArray[np.float64], dimensions: int) -> NDArray[np.float64]:
        """Proposition 3.3."""
        m = self.sampled(dimensions)
        return dimensions / m * self._coin(m).scale ** 2 - (values - (self.low + self.high) / 2) ** 2

    def _coin(self, m: int) -> bits.SignedBit:
        return bits.SignedBit(bits.share(self.epsilon, m), self.low, self.high)


def optimal_m(epsilon: float, dimensions: int) -> int:
    """The m in 1 … d with the least worst-case variance.

    That variance is proportional to z·coth²(z/2) with z = ε/m, which has a single minimum near
    z = 2.18, so one of the two integers around ε/2.18 is the best.

    >>> [optimal_m(epsilon, 100) for epsilon in (0.1, 3.0, 3.1, 10.0)]
    [1, 1, 2, 5]
    """
    if epsilon < 3:
        return 1

    def worst_variance(m: int) -> float:
        return epsilon / m / math.tanh(epsilon / m / 2) ** 2

    below = math.floor(epsilon / 2.18) if epsilon / 2.18 < dimensions else dimensions
    candidates = {max(1, min(dimensions, m)) for m in (below, below + 1)}
    return min(sorted(candidates), key=worst_variance)
