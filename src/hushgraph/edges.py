"""Undirected edges in one form."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def canonical_edges(edges: ArrayLike, num_nodes: int) -> tuple[NDArray[np.int32], int, int]:
    """Each undirected edge once, ``u < v``, sorted; and how many loops and duplicates were dropped."""
    pairs = np.asarray(edges)
    if pairs.size == 0 and pairs.ndim <= 2:
        return np.empty((2, 0), np.int32), 0, 0
    if pairs.ndim != 2 or pairs.shape[0] != 2:
        raise ValueError(f"edges must have shape (2, E), got {pairs.shape}")
    if pairs.dtype.kind not in "iu":
        raise ValueError(f"edges must be whole numbers, got {pairs.dtype}")
    if pairs.min() < 0 or pairs.max() >= num_nodes:
        bad = pairs[(pairs < 0) | (pairs >= num_nodes)][0]
        raise ValueError(f"edges name node {bad}, but nodes are numbered 0 to {num_nodes - 1}")
    if pairs.dtype == np.int32 and _are_canonical(pairs):
        return pairs, 0, 0
    low, high = np.minimum(pairs[0], pairs[1]), np.maximum(pairs[0], pairs[1])
    loops = int(np.count_nonzero(low == high))
    if loops:
        keep = low != high
        low, high = low[keep], high[keep]
    keys = low.astype(np.int64) * num_nodes + high
    if np.any(keys[1:] <= keys[:-1]):
        keys = np.unique(keys)
    unique = np.empty((2, keys.size), np.int32)
    np.floor_divide(keys, num_nodes, out=unique[0], casting="unsafe")
    np.remainder(keys, num_nodes, out=unique[1], casting="unsafe")
    return unique, loops, int(low.size - keys.size)


def both_directions(edges: ArrayLike) -> NDArray[np.int64]:
    """Every undirected edge, given once (2, E), in the rows of both its ends, (2, 2E): who, and whom.

    >>> person, name = both_directions([[0, 0], [1, 2]])
    >>> person.tolist(), name.tolist()
    ([0, 0, 1, 2], [1, 2, 0, 0])
    """
    there = np.asarray(edges, np.int64)
    return np.concatenate([there, there[::-1]], axis=1)


def _are_canonical(pairs: NDArray[np.int32]) -> bool:
    """Whether there is nothing to do: no copy of a large graph is made in vain."""
    steps = np.diff(pairs, axis=1)
    rising = (steps[0] > 0) | ((steps[0] == 0) & (steps[1] > 0))
    return bool(rising.all() and (pairs[0] < pairs[1]).all())
