"""Sums over neighbors of which one person's or one edge's share is bounded, and the cap on friends."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from torch import Tensor

from hushgraph.curator.rows import clipped_rows
from hushgraph.edges import both_directions
from hushgraph.sparse import Adjacency


def clipped_sums(
    messages: Tensor, edges: NDArray[np.int32], num_nodes: int, max_degree: int | None
) -> Tensor:
    """The sum of the neighbours' messages, which have norm 1 at most; rows of norm √``max_degree`` at most.

    A person is in up to ``max_degree`` sums and has one themselves. Bounding that one makes it cost no more
    than all the others together. Without ``max_degree`` the sums stay as they are.
    """
    sums = Adjacency.from_edges(edges, num_nodes).propagate(messages, "sum")
    return sums if max_degree is None else clipped_rows(sums, max_degree**0.5)


def adjacency_matrix(edges: NDArray[np.int32], num_nodes: int) -> sp.csr_array:
    """The graph as a matrix of ones and zeros."""
    person, name = both_directions(edges)
    return sp.csr_array((np.ones(person.size, np.float32), (person, name)), shape=(num_nodes, num_nodes))


def capped(
    edges: NDArray[np.int32], num_nodes: int, max_degree: int, priorities: NDArray[np.uint64]
) -> NDArray[np.int32]:
    """The edges that are left when nobody keeps more than ``max_degree``.

    An edge stays if it is among the first ``max_degree`` of both its ends, by place in the whole list and not
    in what others left of it: then one person's edges move few others
    (:mod:`hushgraph.privacy.sensitivities`). Each edge has a priority of its own, which must have nothing to
    do with the data.
    """
    ends = edges.ravel()
    by_person = np.lexsort((np.tile(priorities, 2), ends))
    starts = np.searchsorted(ends[by_person], np.arange(num_nodes))
    place = np.empty(ends.size, np.int64)
    place[by_person] = np.arange(ends.size) - starts[ends[by_person]]
    return edges[:, (place.reshape(2, -1) < max_degree).all(axis=0)]
