"""The graph as an operator: sums, means and GCN averages over neighbours, with gradients."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from hushgraph import _check
from hushgraph.denoise import kernels

Aggregation = Literal["gcn", "mean", "sum"]


class Adjacency:
    """An undirected graph without self-loops, both directions, in CSR form on one device.

    Every aggregation weighs an edge by the degrees of its ends, so one structure serves all of them and,
    being symmetric, their gradients too: the transpose only swaps the ends.
    """

    def __init__(self, indptr: Tensor, indices: Tensor) -> None:
        self.indptr, self.indices = indptr, indices
        self.num_nodes = indptr.numel() - 1
        self._weights: dict[str, Tensor] = {}

    @classmethod
    def from_edges(cls, edges: ArrayLike, num_nodes: int, device: torch.device | str = "cpu") -> Adjacency:
        """From pairs (2, E) in any order; direction, duplicates and self-loops are ignored."""
        import scipy.sparse as sp

        pairs = np.asarray(edges)
        if pairs.ndim != 2 or pairs.shape[0] != 2:
            raise ValueError(f"edges must have shape (2, E), got {pairs.shape}")
        if pairs.size and not (pairs.min() >= 0 and pairs.max() < num_nodes):
            raise ValueError(f"edges name nodes outside 0 … {num_nodes - 1}")
        pairs = pairs[:, pairs[0] != pairs[1]].astype(np.int32, copy=False)
        upper = sp.csr_array(
            (np.ones(pairs.shape[1], bool), (pairs[0], pairs[1])), shape=(num_nodes, num_nodes)
        )
        both = (upper + upper.T).tocsr()
        both.sort_indices()
        return cls(torch.from_numpy(both.indptr).to(device), torch.from_numpy(both.indices).to(device))

    @property
    def device(self) -> torch.device:
        """Where the graph is."""
        return self.indices.device

    @cached_property
    def degree(self) -> Tensor:
        """The number of neighbours, float32 (n,)."""
        return self.indptr.diff().float()

    @cached_property
    def edge_index(self) -> Tensor:
        """Both directions as PyG wants them, int64 (2, 2E)."""
        rows = torch.repeat_interleave(
            torch.arange(self.num_nodes, device=self.device), self.indptr.diff().long()
        )
        return torch.stack([self.indices.long(), rows])

    def weights(self, aggregation: Aggregation, *, transposed: bool = False) -> Tensor | None:
        """The weight of each stored edge, float32; None for ones.

        From u to v: ``"sum"`` 1, ``"mean"`` 1/|N(v)|, ``"gcn"`` 1/√(|N(u)|·|N(v)|).
        """
        if aggregation == "sum":
            return None
        key = "gcn" if aggregation == "gcn" else f"mean, transposed={transposed}"
        if key not in self._weights:
            neighbours = self.indptr.diff().long()
            ones_over_degree = self.degree.reciprocal()
            to_row = torch.repeat_interleave(ones_over_degree, neighbours)
            from_column = ones_over_degree[self.indices]
            if aggregation == "gcn":
                self._weights[key] = to_row.mul_(from_column).sqrt_()
            else:
                self._weights[key] = from_column if transposed else to_row
        return self._weights[key]

    def propagate(self, x: Tensor, aggregation: Aggregation = "gcn", steps: int = 1) -> Tensor:
        """``steps`` aggregations over neighbours, x (n, width). Nodes without neighbours get 0."""
        _check.choice(aggregation, "aggregation", get_args(Aggregation))
        if x.shape[0] != self.num_nodes:
            raise ValueError(f"x must have {self.num_nodes} rows, one for each node; got {x.shape[0]}")
        if _check.count(steps, "steps") == 0:
            return x
        propagated: Tensor = _Propagate.apply(x, self, aggregation, steps)  # type: ignore[no-untyped-call]
        return propagated

    def hops(self, x: Tensor, aggregation: Aggregation, steps: int, *, transposed: bool = False) -> Tensor:
        """What :meth:`propagate` computes, without gradients; or its transpose."""
        weights = self.weights(aggregation, transposed=transposed)
        for _ in range(steps):
            x = kernels.sparse_matmul(self.indptr, self.indices, weights, x)
        return x


class _Propagate(torch.autograd.Function):
    """Linear in x with constant coefficients: nothing is saved for the backward pass."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, adjacency: Adjacency, aggregation: Aggregation, steps: int) -> Tensor:
        ctx.operator = adjacency, aggregation, steps
        return adjacency.hops(x, aggregation, steps)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
        adjacency, aggregation, steps = ctx.operator
        return adjacency.hops(gradient, aggregation, steps, transposed=True), None, None, None
