"""A linear softmax of a person's own features, by gradient descent on noisy whole gradients.

A person's gradient is the product of two vectors: what the classifier was wrong by, and the features. Both
are rounded to whole numbers, so that gradients, their sums and their norms are whole numbers and exact. The
noise is drawn exactly too: nothing rests on floating point.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph.curator.dp_sgd import LARGEST_WEIGHT
from hushgraph.curator.rows import scaled_rows
from hushgraph.mechanisms.discrete_gaussian import LARGEST_SCALE

MOMENTUM, BIAS = 0.8, 0.1
# No step is longer than this over the number of people, however little noise there is.
LONGEST = 200.0
# A noisy gradient that is turned against the speed by this cosine says that steps are too long. What is left
# of the speed is forgotten, steps are half as long, and grow by this factor until they are what they were.
TURNED, LONGER = -0.2, 1.2
# Most steps of a feature of 1 and of an error of 1.
FEATURE_BITS, ERROR_BITS = 12, 8

Noisy = Callable[[NDArray[np.int64]], NDArray[np.int64]]
"""Releases a sum of gradients."""


@dataclass(frozen=True, slots=True)
class Grid:
    """How fine the whole numbers are: a function of the budget alone.

    Attributes:
        features, errors: steps to one.
        clip: the norm of a person's whole gradient is no more than this.
    """

    features: int
    errors: int
    clip: int

    @classmethod
    def of(cls, clip: float, multiplier: float, times: int) -> Grid:
        """As fine as the noise, of ``multiplier`` times ``times`` clips, can be drawn."""
        bits = math.floor(math.log2(LARGEST_SCALE / (4 * multiplier * times * clip)))
        errors = min(ERROR_BITS, bits // 2)
        features = min(FEATURE_BITS, bits - errors)
        whole = math.floor(clip * 2 ** (features + errors)) if errors > 0 else 0
        if whole < 1:
            raise ValueError(
                f"the budget is too small, or clip = {clip:g} too far from 1: gradients would be nothing but"
                " noise"
            )
        return cls(1 << features, 1 << errors, whole)

    def rows(self, features: Any) -> Any:
        """Features as whole numbers, each person's in L2 norm one at most; a bias comes last."""
        rows = scaled_rows(features, "l2")
        bias = np.full((rows.shape[0], 1), math.floor(BIAS * self.features))
        if sp.issparse(rows):
            rows = sp.csr_array(rows, dtype=np.float64, copy=True)
            rows.data = np.trunc(rows.data * (self.features * (1 - 2.0**-20)))
            return sp.csr_array(sp.hstack([rows, sp.csr_array(bias)], format="csr"), dtype=np.float64)
        return np.hstack([np.trunc(rows * (self.features * (1 - 2.0**-20))), bias]).astype(np.float64)

    def gradient(self, rows: Any, lengths: NDArray[np.float64], errors: Any) -> NDArray[np.int64]:
        """The sum over people of errors times features, each clipped; ``lengths`` are the rows' squared.

        Whole numbers up to 2⁵³ are exact in double precision, sums of them too.
        """
        norms = np.sqrt(np.square(errors).sum(1) * lengths) * self.errors
        shorter = np.minimum(1.0, self.clip / np.maximum(norms, 1e-9)) * (1 - 2.0**-20)
        whole = np.trunc(errors * (self.errors * shorter)[:, None])
        # What is too long in spite of rounding towards zero counts for nothing: a look at one person alone.
        whole[np.square(whole).sum(1) * lengths > float(self.clip) ** 2] = 0
        summed: NDArray[np.int64] = np.asarray(rows.T @ whole).astype(np.int64)
        return summed


def squared_lengths(rows: Any) -> NDArray[np.float64]:
    """Of each row; exact, since they are whole."""
    squared = rows.multiply(rows) if sp.issparse(rows) else np.square(rows)
    lengths: NDArray[np.float64] = np.asarray(squared.sum(axis=1), np.float64).ravel()
    return lengths


def fit_linear(
    rows: Any,
    labels: NDArray[np.int64],
    classes: int,
    grid: Grid,
    noisy: Noisy,
    *,
    steps: int,
    noise: float,
    pace: float,
    progress: Callable[[float], None],
) -> NDArray[np.float64]:
    """The weights (d + 1, c): the mean of the last half of the steps.

    Steps are as long as lets the noise of all of them add up to about one in each weight, whatever the sizes
    and the budget; without noise, or with hardly any, they are bounded by the number of people, which is
    public. That is too long where people's features are all alike; noisy gradients tell. A label of -1 stands
    for a null record.
    """
    people, one = rows.shape[0], grid.features * grid.errors
    here, lengths = labels >= 0, squared_lengths(rows)
    wanted = np.zeros((people, classes))
    wanted[np.flatnonzero(here), labels[here]] = 1
    longest = LONGEST / people
    length = (1 - MOMENTUM) / (noise / one * math.sqrt(steps)) if noise else longest
    longest = length = min(length, longest) * pace
    weights, speed, mean = (np.zeros((rows.shape[1], classes)) for _ in range(3))
    for step in range(steps):
        errors = np.exp(log_softmax(rows @ weights / grid.features)) - wanted
        errors[~here] = 0
        gradient = noisy(grid.gradient(rows, lengths, errors)) / one
        if noise and _cosine(gradient, speed) < TURNED:
            length, speed = length / 2, 0.0 * speed
        else:
            length = min(longest, length * LONGER)
        speed = MOMENTUM * speed + gradient
        weights = weights - length * speed
        if not np.abs(weights).max() <= LARGEST_WEIGHT:
            raise ArithmeticError("training diverged: a smaller learning_rate may help")
        if step >= steps // 2:
            mean = mean + weights / (steps - steps // 2)
        progress((step + 1) / steps)
    return mean


def _cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    norms = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float((one * other).sum()) / norms if norms else 0.0


def log_softmax(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Rows of logits as logarithms of probabilities."""
    scores = scores - scores.max(axis=1, keepdims=True)
    logarithms: NDArray[np.float64] = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return logarithms
