"""The cap on friends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def capped(
    edges: NDArray[np.int32], num_nodes: int, max_degree: int, rng: np.random.Generator
) -> tuple[NDArray[np.int32], int]:
    """The edges that are left when nobody keeps more than ``max_degree``, and how many were dropped.

    Edges are in a random order that has nothing to do with the data; an edge stays if it is among the first
    ``max_degree`` of both its ends.
    """
    order = rng.permutation(edges.shape[1])
    ends = edges[:, order].ravel()
    turn = np.tile(np.arange(order.size), 2)
    by_person = np.lexsort((turn, ends))
    starts = np.searchsorted(ends[by_person], np.arange(num_nodes))
    place = np.empty(ends.size, np.int64)
    place[by_person] = np.arange(ends.size) - starts[ends[by_person]]
    kept = np.sort(order[(place.reshape(2, -1) < max_degree).all(axis=0)])
    return edges[:, kept], int(order.size - kept.size)
