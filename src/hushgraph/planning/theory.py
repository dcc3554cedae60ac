"""What is exact: how much one report says, and what an average over friends is off by."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph.mechanisms import MultiBit, RandomizedResponse


def entropy(shares: ArrayLike) -> float:
    """Bits that tell the class of somebody of whom the shares of the classes alone are known.

    >>> entropy([0.5, 0.5])
    1.0
    """
    positive = np.asarray(shares, np.float64)
    positive = positive[positive > 0]
    return float(-(positive * np.log2(positive)).sum()) + 0.0


def label_information(epsilon: float, shares: ArrayLike) -> float:
    r"""Bits about a person's class in one report of it through randomised response.

    The mutual information :math:`I = H(q + (p - q)\pi) - H(p, q, \dots, q)`, exactly.

    >>> round(label_information(1.0, [0.5, 0.5]), 3), label_information(math.inf, [0.25] * 4)
    (0.16, 2.0)
    """
    given = np.asarray(shares, np.float64)
    response = RandomizedResponse(epsilon, given.size)
    p, q = response.keep_probability, response.other_probability
    noise = entropy([p, *[q] * (given.size - 1)])
    return entropy(q + (p - q) * given) - noise


def worth(epsilon: float, reports: int, shares: ArrayLike) -> float:
    """How many labels without noise say as much, in all, as so many reports."""
    return reports * label_information(epsilon, shares) / entropy(shares)


def feature_information(epsilon: float, features: int, informativeness: float) -> float:
    r"""Bits about a person's class in one multi-bit report of features, to first order.

    Each of m signs has the mean :math:`u \tanh(\epsilon / 2m)`, where u runs from -1 to 1 over the range of
    its feature. If the class explains the share r of the largest variance that u can have, a sign carries
    :math:`r \tanh^2(\epsilon / 2m) / 2` nats at most, however well the server knew what classes are like.
    """
    m = MultiBit(epsilon).sampled(features)
    return m * informativeness * math.tanh(epsilon / m / 2) ** 2 / (2 * math.log(2))


def aggregation_error(epsilon: float, classes: int, degrees: ArrayLike) -> float:
    r"""The root mean square error, over people, of the share of one class among them and their friends.

    An average of d + 1 unbiased reports has the variance of one over d + 1. One report of somebody of another
    class has :math:`q (1 - q) / (p - q)^2`.
    """
    response = RandomizedResponse(epsilon, classes)
    p, q = response.keep_probability, response.other_probability
    variance = q * (1 - q) / (p - q) ** 2
    around: NDArray[np.float64] = 1 / (np.asarray(degrees, np.float64) + 1)
    return math.sqrt(variance * float(around.mean()))
