"""Pairs of people to ask about: as many friends as strangers, and never all n² pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.attacks.knowledge import KnownPairs
from hushgraph.attacks.nothing_to_ask import NothingToAskError
from hushgraph.edges import canonical_edges


def checked_pairs(pairs: ArrayLike, num_nodes: int) -> NDArray[np.int64]:
    """Pairs (2, m), one or more, of people who are there."""
    found = np.asarray(pairs)
    if found.ndim != 2 or found.shape[0] != 2 or found.shape[1] == 0 or found.dtype.kind not in "iu":
        raise ValueError(f"pairs must be numbers of people (2, m), got shape {found.shape} of {found.dtype}")
    if found.min() < 0 or found.max() >= num_nodes:
        raise ValueError(f"pairs must name people 0 to {num_nodes - 1}")
    return found.astype(np.int64)


def balanced(
    edges: ArrayLike, num_nodes: int, size: int, rng: np.random.Generator, people: ArrayLike | None = None
) -> KnownPairs:
    """Up to ``size`` friendships and as many pairs of strangers, in random order.

    Drawn with time and memory that follow the friendships and ``size``.

    Args:
        people: only pairs of which both are among these; everybody by default.
    """
    pairs, _, _ = canonical_edges(edges, num_nodes)
    known = np.arange(num_nodes) if people is None else _check.node_ids(people, "people", num_nodes)
    if people is not None:
        among = np.zeros(num_nodes, bool)
        among[known] = True
        pairs = pairs[:, among[pairs].all(0)]
    if pairs.shape[1] == 0 or known.size < 3:
        raise NothingToAskError("these people have no friendships among them to ask about")
    friends = pairs[:, rng.permutation(pairs.shape[1])[:size]].astype(np.int64)
    strangers = _strangers(pairs, known, num_nodes, friends.shape[1], rng)
    if strangers.shape[1] == 0:
        raise NothingToAskError("these people are all friends: there are no strangers to ask about")
    order = rng.permutation(friends.shape[1] + strangers.shape[1])
    both = np.concatenate([friends, strangers], axis=1)[:, order]
    return KnownPairs(both, order < friends.shape[1])


def _strangers(
    pairs: NDArray[np.int32], people: NDArray[np.int64], num_nodes: int, size: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Different pairs who are no friends; fewer where there are hardly any."""
    taken = pairs[0].astype(np.int64) * num_nodes + pairs[1]
    found = np.zeros(0, np.int64)
    for _ in range(50):
        drawn = np.sort(rng.choice(people, (2, 2 * size + 8)), axis=0)
        drawn = drawn[:, drawn[0] < drawn[1]]
        found = np.setdiff1d(np.concatenate([found, drawn[0] * num_nodes + drawn[1]]), taken)
        if found.size >= size:
            break
    chosen = rng.permutation(found)[:size]
    return np.stack([chosen // num_nodes, chosen % num_nodes])
