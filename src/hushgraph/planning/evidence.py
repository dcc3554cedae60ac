"""The z that the cascade's test of features can be expected to find, before anybody sent any."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hushgraph.local.cascade.feature_evidence import ENOUGH, PARTS
from hushgraph.mechanisms import MultiBit

# Of all pairs of people, how many the test looks at; of those in parts before, the mean share and its square.
PAIRS = 1 - 1 / PARTS
BEFORE = sum(part / PARTS for part in range(PARTS)) / PARTS
BEFORE_SQUARED = sum((part / PARTS) ** 2 for part in range(PARTS)) / PARTS


def expected_evidence(
    votes: NDArray[np.float32],
    labels: NDArray[np.int64],
    shares: NDArray[np.float64],
    *,
    epsilon: float,
    features: int,
    informativeness: float,
) -> float:
    r"""The expected z of :func:`~hushgraph.local.cascade.feature_evidence.feature_evidence`.

    The test adds :math:`s_i = x_i \cdot (\sum_j x_j y_j^T) y_i` over the people j before i. With features in
    units of half their range, the mean of class c is :math:`\delta_c`, in a direction of its own, and
    :math:`K_{cc'} = \delta_c \cdot \delta_{c'}` has the mean :math:`\sum_c \pi_c K_{cc} = r d`. The variance
    of a report is :math:`v = (d/m) \coth^2(\epsilon / 2m)` in every feature. With H the classes, Y the votes,
    :math:`G = H^T Y` and :math:`B = Y^T Y`, sums over pairs are products of small matrices:

    .. math::
        E \sum_i s_i = 0.9 \sum_{i < j} K_{c_i c_j} (y_i \cdot y_j), \qquad
        E \sum_i s_i^2 \approx 0.9\, d v^2 \sum_{i < j} (y_i \cdot y_j)^2
        + 0.285\, v\, \mathrm{tr}(B G^T K G) + 0.45\, v \sum_i K_{c_i c_i}\, y_i^T B y_i
        + 0.285 \sum_i (K_{c_i} G y_i)^2

    and z is the one over the root of the other. The first term of the second sum is all that noise makes.

    Args:
        votes: smoothed votes of those who send features (n, c), as the test has them.
        labels: their classes (n,).
        shares: of the classes.
        epsilon, features: the budget of a person's features, and d, how many are asked for.
        informativeness: r, which share of the largest possible variance of a feature the class explains.
    """
    classes = shares.size
    v, kernel = _noise(epsilon, features), _kernel(shares, informativeness * features)
    y = votes.astype(np.float64)
    one_hot = np.eye(classes)[labels]
    gathered, together = one_hot.T @ y, y.T @ y
    own, lengths = np.diag(kernel)[labels], (y * y).sum(1)
    signal = PAIRS * ((kernel * (gathered @ gathered.T)).sum() - own @ lengths) / 2
    noise = PAIRS * features * v**2 * ((together**2).sum() - lengths @ lengths) / 2
    pulled = kernel @ gathered
    noise += BEFORE_SQUARED * v * float(np.trace(together @ gathered.T @ pulled))
    noise += BEFORE * v * float(own @ ((y @ together) * y).sum(1))
    noise += BEFORE_SQUARED * float((((one_hot @ pulled) * y).sum(1) ** 2).sum())
    return float(signal / math.sqrt(noise)) if noise > 0 else 0.0


def chance_that_features_count(expected: float) -> float:
    """How often the test then says that features tell something: z is normal around what is expected.

    >>> round(chance_that_features_count(0.0), 5), chance_that_features_count(3.0)
    (0.00135, 0.5)
    """
    return 0.5 * math.erfc((ENOUGH - expected) / math.sqrt(2))


def _noise(epsilon: float, features: int) -> float:
    m = MultiBit(epsilon).sampled(features)
    return features / m / math.tanh(epsilon / m / 2) ** 2


def _kernel(shares: NDArray[np.float64], strength: float) -> NDArray[np.float64]:
    """Inner products of independent directions, less their mean, with the mean length asked for."""
    centred = np.eye(shares.size) - shares
    kernel: NDArray[np.float64] = centred @ centred.T
    return kernel * (strength / float(shares @ np.diag(kernel)))
