"""Class probabilities as attackers look at them: in logarithms, where 0.9999 and 0.999999 are far apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# What rounding leaves of a row's sum.
FAR = 1e-3
# Below what single precision can tell from 0.
TINY = 1e-30


def checked(given: Any) -> NDArray[np.float32]:
    """Class probabilities (n, c), or an error that says what they are instead."""
    proba = np.asarray(given)
    if proba.ndim != 2 or proba.shape[1] < 2:
        raise ValueError(f"proba must be class probabilities (n, c), got shape {proba.shape}")
    if not ((proba >= 0) & (proba <= 1 + FAR)).all() or not (abs(proba.sum(1) - 1) <= FAR).all():
        raise ValueError(
            "proba must be class probabilities: numbers from 0 to 1 that add up to 1 in each row"
        )
    return proba


def log_odds_of(proba: NDArray[np.floating], classes: NDArray[np.int64]) -> NDArray[np.float64]:
    """log p_y - log (1 - p_y) of one class y of each person, from the other classes' own probabilities.

    >>> log_odds_of(np.array([[0.5, 0.25, 0.25]]), np.array([0]))
    array([0.])
    """
    rows = np.asarray(proba, np.float64)
    people = np.arange(len(rows))
    others = rows.copy()
    others[people, classes] = 0.0
    odds: NDArray[np.float64] = np.log(rows[people, classes] + TINY) - np.log(others.sum(1) + TINY)
    return odds


def confidence(proba: NDArray[np.floating]) -> NDArray[np.float64]:
    """The log odds of the most probable class: in the order of the highest probability, without its ties."""
    return log_odds_of(proba, np.asarray(proba).argmax(1))


def logarithms(proba: NDArray[np.floating]) -> NDArray[np.float64]:
    """log p, rows centred, and no more than a factor of 10⁶ below the most probable class.

    Tails that far down are rounding.
    """
    rows = np.asarray(proba, np.float64)
    logs = np.log(np.maximum(rows, rows.max(1, keepdims=True) * 1e-6))
    centred: NDArray[np.float64] = logs - logs.mean(1, keepdims=True)
    return centred


def entropy(proba: NDArray[np.floating]) -> NDArray[np.float64]:
    """How undecided each row is, in nats."""
    rows = np.asarray(proba, np.float64)
    nats: NDArray[np.float64] = -(rows * np.log(rows + TINY)).sum(1)
    return nats
