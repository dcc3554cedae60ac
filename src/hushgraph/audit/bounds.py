"""From counts to a lower bound on ε, with stated confidence and a correction for whatever was tried.

(ε, δ)-DP says P[S] ≤ e^ε · Q[S] + δ for every event S. So if S happens with probability p or more in one
world and q or less in the other, ε ≥ log((p - δ) / q). The two probabilities are bounded by Clopper and
Pearson, each with half of the error. Which events are looked at is decided on samples that are not
counted; where several are counted, each has its share of the error (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from hushgraph import _check

# The share of the samples on which an event is picked; on the rest it is counted.
PICKED_ON = 0.25
THRESHOLDS = 99
# So many events are counted at most: those that looked best where they were picked.
COUNTED = 2

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Event:
    """Scores above a threshold in the first world or, the other way round, up to it in the second.

    ``looked`` is the bound that it gave where it was picked, which is for choosing alone.
    """

    threshold: float
    above: bool
    looked: float = 0.0


def epsilon_bound(hits: Any, alarms: Any, trials: int, *, delta: float, error: float) -> NDArray[np.float64]:
    """The bound from an event that happened ``hits`` times in one world and ``alarms`` times in the other.

    >>> float(epsilon_bound(900, 100, 1000, delta=0.0, error=0.05).round(2))
    1.99
    """
    hits, alarms = np.asarray(hits, np.float64), np.asarray(alarms, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.where(hits > 0, beta.ppf(error / 2, hits, trials - hits + 1), 0.0)
        high = np.where(alarms < trials, beta.ppf(1 - error / 2, alarms + 1, trials - alarms), 1.0)
        bound: NDArray[np.float64] = np.where(low > delta, np.log((low - delta) / high), -np.inf)
    return bound


def reach(counted: int, events: int, *, delta: float, confidence: float) -> float:
    """No bound from so many samples of either world is above this, if so many events share the error.

    Where one world always gives what the other never does, Clopper and Pearson's limits are r and 1 - r with
    r the n-th root of half of an event's error.
    """
    least = ((1 - confidence) / (2 * events)) ** (1 / counted)
    return math.log((least - delta) / (1 - least)) if least > delta else 0.0


def lower_bound(one: Any, other: Any, *, delta: float, confidence: float = 0.95) -> float:
    """A lower bound on ε from scores (n,) that tend to be higher in the first world, or from several (n, k).

    Thresholds and their sides are picked on the first quarter, and the best are counted on the others. There
    are as many scores of either world.
    """
    _check.confidence(confidence)
    here, there = (np.asarray(world, np.float64).reshape(len(world), -1) for world in (one, other))
    if here.shape != there.shape:
        raise ValueError(f"one and other must have the same shape, got {here.shape} and {there.shape}")
    if np.isnan([here, there]).any():
        raise ValueError("one and other must be scores, and some of these are NaN")
    first = int(len(here) * PICKED_ON)
    events = [
        (pick(ours[:first], theirs[:first], delta=delta, error=1 - confidence), ours[first:], theirs[first:])
        for ours, theirs in zip(here.T, there.T, strict=True)
    ]
    return counted(events, delta=delta, confidence=confidence)


def pick(one: Scores, other: Scores, *, delta: float, error: float) -> Event:
    """The event whose bound is the highest on these samples."""
    together = np.concatenate([one, other])
    thresholds = np.unique(np.quantile(together, np.linspace(0.01, 0.99, THRESHOLDS), method="lower"))
    above = _above(one, thresholds), _above(other, thresholds)
    trials = len(one)
    bounds = np.stack(
        [
            epsilon_bound(trials - above[1], trials - above[0], trials, delta=delta, error=error),
            epsilon_bound(*above, trials, delta=delta, error=error),
        ]
    )
    side, place = np.unravel_index(int(bounds.argmax()), bounds.shape)
    return Event(float(thresholds[place]), bool(side), float(bounds[side, place]))


def counted(events: Sequence[tuple[Event, Scores, Scores]], *, delta: float, confidence: float) -> float:
    """The best bound of the events that looked best elsewhere, each counted with its share of the error."""
    chosen = sorted(events, key=lambda one: one[0].looked)[-COUNTED:]
    error, best = (1 - confidence) / len(chosen), 0.0
    for event, one, other in chosen:
        hits, alarms = int((one > event.threshold).sum()), int((other > event.threshold).sum())
        if not event.above:
            hits, alarms = len(other) - alarms, len(one) - hits
        best = max(best, float(epsilon_bound(hits, alarms, len(one), delta=delta, error=error)))
    return best


def _above(scores: Scores, thresholds: Scores) -> NDArray[np.int64]:
    return len(scores) - np.searchsorted(np.sort(scores), thresholds, side="right")
