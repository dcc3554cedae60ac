"""Random walks over friendships, people themselves included: what neighbours say, at several distances."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from hushgraph.sparse import Adjacency, kernels

HOPS = (1, 2, 4, 8, 16)


class Walk:
    r"""The walk :math:`P = (D + I)^{-1} (A + I)` and its symmetric twin :math:`S`.

    :math:`S = (D + I)^{-1/2} (A + I) (D + I)^{-1/2}`, so that :math:`P^k = (D + I)^{-1/2} S^k (D + I)^{1/2}`:
    one matrix serves hops, their transposes and spectra. The weights of edges, where these are probabilities
    of a friendship, count in A and in D; somebody's own weight is 1.

    Args:
        adjacency: an undirected graph.
    """

    def __init__(self, adjacency: Adjacency) -> None:
        people = adjacency.num_nodes
        self.num_people, self.device = people, adjacency.device
        self.degree = adjacency.degree
        self._root = (self.degree + 1).sqrt().unsqueeze(1)
        indptr, indices = adjacency.indptr.cpu().numpy(), adjacency.indices.cpu().numpy()
        values = np.ones(indices.size, np.float32)
        if adjacency.values is not None:
            values = adjacency.values.float().cpu().numpy()
        friends = sp.csr_array((values, indices, indptr), shape=(people, people))
        both = sp.csr_array(friends + sp.eye_array(people, dtype=np.float32, format="csr"))
        scale = 1 / self._root.ravel().cpu().numpy()
        rows = np.repeat(scale, np.diff(both.indptr))
        parts = (
            both.indptr.astype(np.int32),
            both.indices.astype(np.int32),
            both.data * rows * scale[both.indices],
        )
        self._matrix = [torch.from_numpy(part).to(self.device) for part in parts]

    def symmetric(self, x: Tensor) -> Tensor:
        """S x."""
        indptr, indices, data = self._matrix
        return kernels.sparse_matmul(indptr, indices, data, x)

    def step(self, x: Tensor, steps: int = 1) -> Tensor:
        """:math:`P^k x`: the average over where a walk from each person is after so many steps."""
        x = self._root * x
        for _ in range(steps):
            x = self.symmetric(x)
        return x / self._root

    def step_back(self, x: Tensor, steps: int = 1) -> Tensor:
        """:math:`(P^T)^k x`."""
        x = x / self._root
        for _ in range(steps):
            x = self.symmetric(x)
        return x * self._root

    def hops(self, x: Tensor) -> Iterator[Tensor]:
        """:math:`P^k x` for every k of ``HOPS``, one after another."""
        x = self._root * x
        for k in range(1, max(HOPS) + 1):
            x = self.symmetric(x)
            if k in HOPS:
                yield x / self._root

    def components(self) -> Tensor:
        """The number of people in everybody's connected component, int64 (n,)."""
        from scipy.sparse.csgraph import connected_components

        indptr, indices, data = (part.cpu().numpy() for part in self._matrix)
        graph = sp.csr_array((data, indices, indptr), shape=(self.num_people,) * 2)
        _, component = connected_components(graph, directed=False)
        return torch.from_numpy(np.bincount(component)[component])
