"""How much noise each person's sum gets: node-influence-grained adaptive permutation (NAP) of NIP-GNN.

A weight β_u multiplies the budget of person u's row: its Laplace noise has scale Δ / (ε·β_u).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushgraph.privacy.relations import NeighboringRelation

# The weight of the least influential person over that of the most influential one.
LEAST = 0.5


def sound_weights(
    ranks: NDArray[np.int64], max_degree: int, relation: NeighboringRelation
) -> NDArray[np.float64]:
    """Weights that grow with the rank and keep the budget whoever is whose neighbour.

    Ranks are public or released, so that neighbouring graphs have the same weights. A person who is taken
    away changes their own row by up to D and D others by 1 each: D·β_k + Σ β_i ≤ 2·D must hold for them,
    where the sum is over any D people. Under a cap the D others change by 2, and as many further messages
    come, all of them maybe in one row: twice as much of both, of twice as much that is allowed. So what
    counts is the largest weight and the D largest: individual weights take from most without giving to more
    than D.
    """
    weights = LEAST + (1 - LEAST) * ranks / ranks.size
    largest = np.sort(weights)[::-1]
    # What the worst neighbour costs, and what it may cost; an edge is in two rows.
    most, allowed = float(max_degree * largest[0] + largest[:max_degree].sum()), 2 * max_degree
    if relation == "edge":
        most, allowed = float(largest[:2].sum()), 2
    scaled: NDArray[np.float64] = weights * (allowed / most)
    return scaled


def published_weights(
    ranks: NDArray[np.int64], edges: NDArray[np.int32], num_nodes: int
) -> NDArray[np.float64]:
    """Equation 11, from the private graph and its true largest degree; 1 for people without friends.

    Bounds β_u by D_max/D_k over the neighbours k, and never by D_max/D_u.
    """
    person, neighbor = np.concatenate([edges, edges[::-1]], axis=1)
    degrees = np.bincount(person, minlength=num_nodes)
    largest = degrees.max(initial=0)
    around = np.bincount(person, weights=ranks[neighbor], minlength=num_nodes)
    reusable = ranks[person] / around[neighbor] * (largest - degrees[neighbor]) + 1
    weights = np.full(num_nodes, np.inf)
    np.minimum.at(weights, person, np.minimum(reusable, largest / degrees[neighbor]))
    return np.where(degrees > 0, weights, 1.0)
