"""Scores that tell two worlds apart, learned from samples of both.

What leaves is seen as rows of numbers. Scores of three kinds are learned; each is high for rows that speak
for the first world. Any function may be tried, since none can tell more than its arguments: what is
learned badly finds less.

- *whole*: how much more often the whole row came in the first world; the best one where there are few
  outcomes.
- *parts*: the same of each column, added up; the best one where columns are independent, such as signs.
- *direction*: columns weighted by how far their means lie apart; the best one for Gaussian noise.

The last two are learned twice: from every difference, as where each of many columns tells a little, and from
those alone that are hardly chance, as where few columns tell anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from hushgraph.audit.bounds import COUNTED, counted, pick, reach

# The share of samples on which scores are learned, and that on which events are picked; the rest is counted.
LEARNED_ON, PICKED_ON = 0.25, 0.25
# A column with more values than that is cut into parts of equal size, each of so many samples.
VALUES, SAMPLES = 64, 400
# A difference below so many standard deviations is taken for chance.
CHANCE = 2.0
# Independent answers are taken for such as hang together that often, at most.
BY_CHANCE = 1e-4

Rows = NDArray[Any]
Score = Callable[[Rows], NDArray[np.float64]]


class Bound(NamedTuple):
    """A lower bound on ε, what it was counted on, and the highest that this could have given."""

    epsilon: float
    events: int
    samples: int
    reach: float


def bound_of_rows(
    one: Sequence[Rows], other: Sequence[Rows], *, delta: float, confidence: float, together: int = 1
) -> Bound:
    """A lower bound on ε from rows (n, k) in two worlds.

    There may be several views of the same samples, each an array of rows. So many rows that follow each other
    may hang ``together``. Whether an event does is seen where it was picked; then one of them is counted.
    """
    events = []
    for views in zip(one, other, strict=True):
        ours, theirs = finite(*views)
        moving = ((ours != ours[0]) | (theirs != ours[0])).any(axis=0)
        here, there = ours[:, moving], theirs[:, moving]
        groups = len(here) // together
        learned, place = (int(groups * share) * together for share in (LEARNED_ON, PICKED_ON))
        for score in learn(here[:learned], there[:learned]):
            both = score(here[learned:]), score(there[learned:])
            event = pick(both[0][:place], both[1][:place], delta=delta, error=1 - confidence)
            hang = any(_hang_together(world[:place] > event.threshold, together) for world in both)
            high, low = (_one_of_each(world[place:], together) if hang else world[place:] for world in both)
            events.append((event, high, low))
    if not events:
        return Bound(0.0, 0, 0, math.inf)
    number, samples = min(COUNTED, len(events)), max(len(high) for _, high, _ in events)
    bound = counted(events, delta=delta, confidence=confidence)
    return Bound(bound, number, samples, reach(samples, number, delta=delta, confidence=confidence))


def finite(one: Rows, other: Rows) -> tuple[Rows, Rows]:
    """Rows without NaN and infinities, which no threshold tells apart: columns of their own say where."""
    if all(rows.dtype.kind != "f" or np.isfinite(rows).all() for rows in (one, other)):
        return one, other
    here, there = (
        np.column_stack(
            [np.where(np.isfinite(rows), rows, 0), np.isnan(rows), rows == np.inf, rows == -np.inf]
        )
        for rows in (one, other)
    )
    return here, there


def _hang_together(hits: NDArray[np.bool_], together: int) -> bool:
    """Whether groups have more and fewer hits than independent ones would, once in ten thousand times."""
    share, sums = hits.mean(), hits.reshape(-1, together).sum(1)
    if together == 1 or not 0 < share < 1:
        return False
    spread = ((sums - together * share) ** 2).sum() / (together * share * (1 - share))
    return bool(spread > chi2.isf(BY_CHANCE, len(sums) - 1))


def _one_of_each(scores: NDArray[np.float64], together: int) -> NDArray[np.float64]:
    """One of each group, in turn."""
    groups = scores.reshape(-1, together)
    turn = np.arange(len(groups))
    one: NDArray[np.float64] = groups[turn, turn % together]
    return one


def learn(one: Rows, other: Rows) -> list[Score]:
    """The scores; none of rows that are all the same."""
    if not one.shape[1]:
        return []
    codes = [_code(np.concatenate([one[:, column], other[:, column]])) for column in range(one.shape[1])]

    def coded(rows: Rows) -> NDArray[np.int64]:
        return np.stack([code(rows[:, column]) for column, code in enumerate(codes)], axis=1)

    here, there = coded(one), coded(other)
    whole = _table(_key(here), _key(there))
    scores: list[Score] = [lambda rows: whole(_key(coded(rows)))]
    for chance in (0.0, CHANCE):
        tables = [_table(here[:, column], there[:, column], chance) for column in range(here.shape[1])]
        scores.append(partial(_added, tables, coded))
        scores.append(partial(_along, _direction(one, other, chance)))
    return scores


def _code(values: Rows) -> Callable[[Rows], NDArray[np.int64]]:
    """Numbers for the values of a column: which value it is or, of many, in which part of them it lies."""
    known = np.unique(values)
    if known.size > VALUES:
        parts = min(VALUES, max(4, values.size // SAMPLES))
        known = np.unique(np.quantile(values, np.linspace(0, 1, parts + 1)))
    return lambda rows: np.searchsorted(known, rows, side="right")


def _key(codes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """One number for each row of codes; that two rows have the same is possible, and harmless."""
    key = np.zeros(len(codes), np.uint64)
    for column in codes.T:
        key = (key ^ (key >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15) + column.astype(np.uint64)
    return key


def _table(
    one: NDArray[Any], other: NDArray[Any], chance: float = CHANCE
) -> Callable[[NDArray[Any]], NDArray[np.float64]]:
    """How much more often a key came in the first world, as a logarithm; 0 where that may be chance."""
    keys, places = np.unique(np.concatenate([one, other]), return_inverse=True)
    ours = np.bincount(places[: len(one)], minlength=keys.size)
    theirs = np.bincount(places[len(one) :], minlength=keys.size)
    ratios = np.log((ours + 0.5) / (theirs + 0.5))
    ratios[np.abs(ours - theirs) < chance * np.sqrt(ours + theirs)] = 0.0

    def score(wanted: NDArray[Any]) -> NDArray[np.float64]:
        place = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        return np.where(keys[place] == wanted, ratios[place], 0.0)

    return score


def _added(
    tables: Sequence[Callable[[NDArray[Any]], NDArray[np.float64]]],
    coded: Callable[[Rows], NDArray[np.int64]],
    rows: Rows,
) -> Any:
    codes = coded(rows)
    return sum(table(codes[:, column]) for column, table in enumerate(tables))


def _along(direction: NDArray[np.float64], rows: Rows) -> NDArray[np.float64]:
    scores: NDArray[np.float64] = rows @ direction
    return scores


def _direction(one: Rows, other: Rows, chance: float) -> NDArray[np.float64]:
    difference = one.mean(axis=0, dtype=np.float64) - other.mean(axis=0, dtype=np.float64)
    variance = (one.var(axis=0, dtype=np.float64) + other.var(axis=0, dtype=np.float64)) / 2
    # A column that never moves within a world and differs between them tells everything.
    variance = np.maximum(variance, 1e-12 * np.maximum(1.0, difference**2))
    difference[np.abs(difference) < chance * np.sqrt(2 * variance / len(one))] = 0.0
    weights: NDArray[np.float64] = difference / variance
    return weights
