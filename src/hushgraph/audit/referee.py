"""The referee: the exact worst-case privacy loss of a release, over all small graphs and their neighbours.

Every graph of a few people, every assignment of rows from a small grid and every neighbour of each is tried.
A release of Laplace noise is given by what it adds noise to and the scales of the noise; where two neighbours
have different scales in a row, the ratio of two densities is unbounded in the tail and the loss is infinite.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph.privacy.relations import NeighboringRelation

LaplaceRelease = Callable[[NDArray[np.int32], NDArray[Any]], tuple[ArrayLike, ArrayLike]]
"""From edges (2, E) and many assignments of rows (k, n, w) to the values (k, n, v) that noise is added to,
and the scales of that noise, (n,) or (k, n)."""

AnswerProbabilities = Callable[[NDArray[np.int32]], ArrayLike]
"""From edges (2, E) to the probability of *yes* of each independent answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """The largest loss, and two neighbouring inputs that have it."""

    loss: float
    one: tuple[NDArray[np.int32], NDArray[Any]]
    other: tuple[NDArray[np.int32], NDArray[Any]]


def worst_laplace_loss(
    release: LaplaceRelease,
    people: int,
    rows: ArrayLike,
    relation: NeighboringRelation,
    max_degree: int | None = None,
    *,
    bounded: bool = True,
) -> Finding:
    """The worst loss of a Laplace release over all graphs where nobody has more than ``max_degree`` friends.

    Or, if it is not ``bounded``, over all graphs and all persons in them with no more than that. ``rows``
    (r, w) are those that people may have; the first stands for nothing, as after removal.
    """
    grid = np.asarray(rows)
    graphs = _graphs(people, max_degree, bounded)
    assigned = np.array(list(itertools.product(range(len(grid)), repeat=people)))
    found = [release(edges, grid[assigned]) for edges in graphs.edges]
    values = np.array([np.asarray(one[0], np.float64) for one in found])
    size = (len(assigned), people)
    scales = np.array([np.broadcast_to(np.asarray(one[1], np.float64), size) for one in found])

    worst = Finding(-math.inf, (graphs.edges[0], grid[assigned[0]]), (graphs.edges[0], grid[assigned[0]]))
    for here, there, ours, theirs in _neighbors(graphs, assigned, relation, len(grid)):
        # Every pair of graphs with every pair of assignments.
        one, other = np.ix_(here, ours), np.ix_(there, theirs)
        changed = np.abs(values[one] - values[other]).sum(axis=-1)
        loss = (changed / scales[one]).sum(axis=-1)
        loss[(scales[one] != scales[other]).any(axis=-1)] = np.inf
        if loss.size and loss.max() > worst.loss:
            pair, rows_of = np.unravel_index(loss.argmax(), loss.shape)
            worst = Finding(
                float(loss[pair, rows_of]),
                (graphs.edges[here[pair]], grid[assigned[ours[rows_of]]]),
                (graphs.edges[there[pair]], grid[assigned[theirs[rows_of]]]),
            )
    return worst


def worst_answer_loss(
    probabilities: AnswerProbabilities,
    people: int,
    relation: NeighboringRelation,
    max_degree: int | None = None,
    *,
    bounded: bool = True,
) -> Finding:
    """The worst loss of independent yes-or-no answers about a graph: the sum of each answer's worst."""
    graphs = _graphs(people, max_degree, bounded)
    yes = np.array([np.asarray(probabilities(edges), np.float64) for edges in graphs.edges])
    nothing = np.zeros((people, 0))
    worst = Finding(-math.inf, (graphs.edges[0], nothing), (graphs.edges[0], nothing))
    with np.errstate(divide="ignore", invalid="ignore"):
        for here, there, _, _ in _neighbors(graphs, np.zeros((1, people), int), relation, 1):
            ratios = np.stack(
                [np.log(yes[here]) - np.log(yes[there]), np.log1p(-yes[here]) - np.log1p(-yes[there])]
            )
            # An answer that neither gives tells nothing.
            loss = np.nan_to_num(np.abs(ratios), nan=0.0, posinf=np.inf).max(axis=0).sum(axis=-1)
            if loss.size and loss.max() > worst.loss:
                best = int(loss.argmax())
                worst = Finding(
                    float(loss[best]),
                    (graphs.edges[here[best]], nothing),
                    (graphs.edges[there[best]], nothing),
                )
    return worst


@dataclass(frozen=True, slots=True, eq=False)
class _Graphs:
    """Graphs as bit masks over pairs: which there are, their edges, and where a mask is in the list.

    ``cap`` is on the friends of the person who changes.
    """

    cap: int
    masks: NDArray[np.int64]
    edges: list[NDArray[np.int32]]
    place: NDArray[np.int64]
    incident: list[int]


def _graphs(people: int, max_degree: int | None, bounded: bool) -> _Graphs:
    pairs = list(itertools.combinations(range(people), 2))
    incident = [sum(1 << bit for bit, pair in enumerate(pairs) if person in pair) for person in range(people)]
    cap = people if max_degree is None else max_degree
    masks = [
        mask
        for mask in range(1 << len(pairs))
        if not bounded or all((mask & around).bit_count() <= cap for around in incident)
    ]
    place = np.full(1 << len(pairs), -1)
    place[masks] = np.arange(len(masks))
    edges = [
        np.array([pair for bit, pair in enumerate(pairs) if mask >> bit & 1], np.int32).reshape(-1, 2).T
        for mask in masks
    ]
    return _Graphs(cap, np.array(masks), edges, place, incident)


Compared = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def _neighbors(
    graphs: _Graphs, assigned: NDArray[np.int64], relation: NeighboringRelation, grid: int
) -> Iterator[Compared]:
    """Pairs of graphs, by place, and pairs of assignments: any of these with any of those are neighbours."""
    every = np.arange(len(assigned))
    if relation == "edge":
        for bit in range(int(graphs.place.size).bit_length() - 1):
            yield *_both_allowed(graphs, graphs.masks, graphs.masks ^ (1 << bit)), every, every
        return
    for person, around in enumerate(graphs.incident):
        lists = np.array([some for some in _submasks(around) if some.bit_count() <= graphs.cap])
        rest = np.unique(graphs.masks & ~around)
        step = grid ** (assigned.shape[1] - 1 - person)
        for new_row in [0] if relation == "node-removal" else range(grid):
            theirs = every + (new_row - assigned[:, person]) * step
            for new_list in lists[:1] if relation == "node-removal" else lists:
                before = (rest[:, None] | lists[None, :]).ravel()
                after = np.repeat(rest | new_list, lists.size)
                yield *_both_allowed(graphs, before, after), every, theirs


def _both_allowed(
    graphs: _Graphs, one: NDArray[np.int64], other: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    here, there = graphs.place[one], graphs.place[other]
    allowed = (here >= 0) & (there >= 0)
    return here[allowed], there[allowed]


def _submasks(mask: int) -> list[int]:
    bits = [1 << bit for bit in range(mask.bit_length()) if mask >> bit & 1]
    return [sum(some) for size in range(len(bits) + 1) for some in itertools.combinations(bits, size)]
