"""The graph as an operator: sums, means and GCN averages over neighbours, with gradients."""

from __future__ import annotations

import copy
from functools import cached_property
from typing import Any, get_args

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from hushgraph import _check
from hushgraph.choices import Aggregation
from hushgraph.sparse import kernels

# Edges whose gradient is taken at a time: bounds the memory that this takes.
BLOCK = 1 << 18


class Adjacency:
    """A graph without self-loops in CSR form on one device: row v has the people whom v listens to.

    Every aggregation weighs an edge by its own weight and the degrees of its ends. An undirected graph equals
    its transpose, so one structure serves the gradients too: the transpose only swaps the ends. Neighbour
    lists as people report them are directed, and the transposed structure is made once.

    Args:
        indptr, indices: where each row starts, and whom it names; int32.
        values: the weight of each stored edge, float32, ≥ 0; None for ones. If it requires a gradient, it
            gets one.
        symmetric: whether the graph equals its transpose, weights included.
    """

    def __init__(
        self, indptr: Tensor, indices: Tensor, values: Tensor | None = None, *, symmetric: bool = True
    ) -> None:
        self.indptr, self.indices, self.values = indptr, indices, values
        self.symmetric = symmetric
        self.num_nodes = indptr.numel() - 1
        self._weights: dict[str, Tensor] = {}

    @classmethod
    def from_edges(
        cls,
        edges: ArrayLike,
        num_nodes: int,
        device: torch.device | str = "cpu",
        weights: ArrayLike | None = None,
    ) -> Adjacency:
        """From undirected pairs (2, E) in any order; direction, duplicates and self-loops are ignored.

        With ``weights``, each pair stands there once.
        """
        import scipy.sparse as sp

        pairs = np.asarray(edges)
        if pairs.ndim != 2 or pairs.shape[0] != 2:
            raise ValueError(f"edges must have shape (2, E), got {pairs.shape}")
        if pairs.size and not (pairs.min() >= 0 and pairs.max() < num_nodes):
            raise ValueError(f"edges name nodes outside 0 … {num_nodes - 1}")
        pairs = pairs.astype(np.int32, copy=False)
        data = np.ones(pairs.shape[1], bool) if weights is None else np.asarray(weights, np.float32)
        if data.shape != pairs.shape[1:] or not (np.isfinite(data) & (data >= 0)).all():
            raise ValueError("weights must be numbers ≥ 0, one for each edge")
        proper = pairs[0] != pairs[1]
        pairs, data = pairs[:, proper], data[proper]
        upper = sp.csr_array((data, (pairs[0], pairs[1])), shape=(num_nodes, num_nodes))
        both = (upper + upper.T).tocsr()
        both.sort_indices()
        values = None if weights is None else torch.from_numpy(both.data).to(device)
        indptr, indices = (torch.from_numpy(part).to(device) for part in (both.indptr, both.indices))
        return cls(indptr, indices, values)

    @classmethod
    def from_lists(cls, starts: ArrayLike, names: ArrayLike, device: torch.device | str = "cpu") -> Adjacency:
        """From neighbour lists, one behind the other: everybody listens to those whom they name."""
        parts = (torch.from_numpy(np.asarray(part, np.int32)).to(device) for part in (starts, names))
        return cls(*parts, symmetric=False)

    def with_values(self, values: Tensor) -> Adjacency:
        """The same edges with other weights, each direction of an edge its own."""
        _ = self.rows, self.transposed  # made once, for all copies
        other = copy.copy(self)
        other.values, other._weights, other.symmetric = values, {}, False
        other.__dict__.pop("degree", None)
        return other

    @property
    def device(self) -> torch.device:
        """Where the graph is."""
        return self.indices.device

    @cached_property
    def rows(self) -> Tensor:
        """The row of each stored edge, int64."""
        nodes = torch.arange(self.num_nodes, device=self.device)
        return torch.repeat_interleave(nodes, self.indptr.diff().long())

    @cached_property
    def degree(self) -> Tensor:
        """The number of neighbours, or the sum of their weights, float32 (n,)."""
        if self.values is None:
            return self.indptr.diff().float()
        return self.values.new_zeros(self.num_nodes).index_add(0, self.rows, self.values)

    @cached_property
    def edge_index(self) -> Tensor:
        """Every stored edge as PyG wants it, int64 (2, edges): from whom, to whom."""
        return torch.stack([self.indices.long(), self.rows])

    @property
    def learns(self) -> bool:
        """Whether the weights of the edges want gradients."""
        return self.values is not None and self.values.requires_grad

    @cached_property
    def transposed(self) -> tuple[Tensor, Tensor, Tensor]:
        """The structure of the transpose, and which stored edge each of its edges is."""
        order = torch.argsort(self.indices, stable=True)
        counts = torch.bincount(self.indices, minlength=self.num_nodes)
        indptr = torch.zeros_like(self.indptr)
        indptr[1:] = counts.cumsum(0)
        return indptr, self.rows[order].to(self.indices.dtype), order

    def weights(self, aggregation: Aggregation, *, transposed: bool = False) -> Tensor | None:
        """What each stored edge is multiplied by, float32; None for ones.

        From u to v, with weight a: ``"sum"`` a, ``"mean"`` a/|N(v)|, ``"gcn"`` a/√(|N(u)|·|N(v)|). For the
        transpose of a directed graph they are in its order.
        """
        if aggregation == "sum" and (self.symmetric or not transposed or self.values is None):
            return self.values
        key = f"{aggregation}, transposed={transposed and (aggregation == 'mean' or not self.symmetric)}"
        if key not in self._weights:
            self._weights[key] = self._weighed(aggregation, transposed)
        return self._weights[key]

    def _weighed(self, aggregation: Aggregation, transposed: bool) -> Tensor:
        if transposed and not self.symmetric:
            weights = self.weights(aggregation)
            assert weights is not None
            return weights[self.transposed[2]]
        ones_over_degree = _reciprocal(self.degree)
        to_row = torch.repeat_interleave(ones_over_degree, self.indptr.diff().long())
        if aggregation == "gcn":
            weights = to_row.mul_(ones_over_degree[self.indices]).sqrt_()
        else:
            weights = ones_over_degree[self.indices] if transposed else to_row
        return weights if self.values is None else weights.mul_(self.values)

    def propagate(self, x: Tensor, aggregation: Aggregation = "gcn", steps: int = 1) -> Tensor:
        """``steps`` aggregations over neighbours, x (n, width). Nodes without neighbours get 0."""
        _check.choice(aggregation, "aggregation", get_args(Aggregation))
        if x.shape[0] != self.num_nodes:
            raise ValueError(f"x must have {self.num_nodes} rows, one for each node; got {x.shape[0]}")
        if _check.count(steps, "steps") == 0:
            return x
        if self.learns:
            for _ in range(steps):
                x = self._aggregate(x, aggregation)
            return x
        propagated: Tensor = _Propagate.apply(x, self, aggregation, steps)  # type: ignore[no-untyped-call]
        return propagated

    def hops(self, x: Tensor, aggregation: Aggregation, steps: int, *, transposed: bool = False) -> Tensor:
        """What :meth:`propagate` computes, without gradients; or its transpose."""
        weights = self.weights(aggregation, transposed=transposed)
        indptr, indices = self.indptr, self.indices
        if transposed and not self.symmetric:
            indptr, indices, _ = self.transposed
        for _ in range(steps):
            x = kernels.sparse_matmul(indptr, indices, weights, x)
        return x

    def _aggregate(self, x: Tensor, aggregation: Aggregation) -> Tensor:
        """One step with gradients for the weights, those in the degrees included."""
        scale = _reciprocal(self.degree).unsqueeze(1)
        if aggregation == "gcn":
            scale = scale.sqrt()
            x = scale * x
        total: Tensor = _WeightedSum.apply(x, self.values, self)  # type: ignore[no-untyped-call]
        return total if aggregation == "sum" else scale * total


def _reciprocal(degree: Tensor) -> Tensor:
    """One over the degree; 0 for those who listen to nobody."""
    present = degree > 0
    return torch.where(present, torch.where(present, degree, 1.0).reciprocal(), 0.0)


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


class _WeightedSum(torch.autograd.Function):
    """Linear in x and in the weights; the gradient of a weight is an inner product of two rows."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, values: Tensor, adjacency: Adjacency) -> Tensor:
        ctx.save_for_backward(x, values)
        ctx.adjacency = adjacency
        return kernels.sparse_matmul(adjacency.indptr, adjacency.indices, values, x)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor, None]:
        x, values = ctx.saved_tensors
        adjacency: Adjacency = ctx.adjacency
        to_x = None
        if ctx.needs_input_grad[0]:
            indptr, indices, order = adjacency.transposed
            to_x = kernels.sparse_matmul(indptr, indices, values.index_select(0, order), gradient)
        to_values = torch.empty_like(values)
        for start in range(0, values.numel(), BLOCK):
            edges = slice(start, start + BLOCK)
            at_row = gradient.index_select(0, adjacency.rows[edges])
            to_values[edges] = at_row.mul_(x.index_select(0, adjacency.indices[edges])).sum(1)
        return to_x, to_values, None
