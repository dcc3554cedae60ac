"""Denoised features H = KProp(X'), dense or factored: whatever a first layer asks is H @ W."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hushgraph.denoise import kernels
from hushgraph.denoise.adjacency import Adjacency, Aggregation
from hushgraph.denoise.propagation import kprop, weight_corrections
from hushgraph.mechanisms import Factored

# Nanoseconds per multiply-add, one core: sparse products and dense ones, as benchmarks/kernels.py measures.
SPARSE_COST, DENSE_COST = 0.10, 0.05
# Columns propagated at a time when the dense matrix is built: bounds the temporary memory.
COLUMNS = 256
# Bytes that a dense matrix may take where the choice is ours.
DENSE_LIMIT = 2**31


class DenseFeatures:
    """H as an n × d tensor."""

    def __init__(self, matrix: Tensor) -> None:
        self.matrix = matrix
        self.shape = matrix.shape

    def __matmul__(self, weight: Tensor) -> Tensor:
        return self.matrix @ weight

    def dense(self) -> Tensor:
        """H itself."""
        return self.matrix


class FactoredFeatures:
    r"""H without ever building it.

    With :math:`X' = S + x_0`, S sparse, everything up to the first weight is linear:

    .. math:: H W = A^K (S W) + (A^K 1)\, x_0\, (1^T W)

    so the K hops carry the columns of W instead of d. Where reports have weights, or are missing, the rows
    of S and those of the first term are scaled, see :func:`~hushgraph.denoise.kprop`.
    """

    def __init__(
        self,
        reports: Factored,
        adjacency: Adjacency,
        steps: int,
        aggregation: Aggregation,
        weights: Tensor | None = None,
        midpoint: float = 0.0,
    ) -> None:
        import scipy.sparse as sp

        matrix = sp.csr_array((reports.data, reports.indices, reports.indptr), shape=reports.shape)
        if weights is not None:
            matrix = sp.csr_array(sp.diags_array(weights.cpu().numpy().astype(np.float32)) @ matrix)
        self.rows = _to_torch(matrix, adjacency.device)
        self.columns = _to_torch(matrix.T.tocsr(), adjacency.device)
        self.adjacency, self.steps, self.aggregation = adjacency, steps, aggregation
        self.shape = torch.Size(reports.shape)
        self.row_scale: Tensor | None = None
        self.row_offset: Tensor | None = None
        if weights is not None:
            scale, everyone = weight_corrections(adjacency, steps, aggregation, weights)
            self.row_scale = scale.unsqueeze(1)
            self.row_offset = everyone * torch.where(scale > 0, reports.offset, midpoint)
        elif reports.offset:
            ones = torch.ones(adjacency.num_nodes, 1, device=adjacency.device)
            self.row_offset = reports.offset * adjacency.hops(ones, aggregation, steps).ravel()

    def __matmul__(self, weight: Tensor) -> Tensor:
        product: Tensor = _Project.apply(weight, self)  # type: ignore[no-untyped-call]
        return product

    def dense(self) -> Tensor:
        """H itself, n × d; for modules that want a tensor."""
        matrix = torch.empty(self.shape, device=self.adjacency.device)
        for start in range(0, self.shape[1], COLUMNS):
            stop = min(start + COLUMNS, self.shape[1])
            identity = torch.zeros(self.shape[1], stop - start, device=matrix.device)
            identity[start:stop] = torch.eye(stop - start, device=matrix.device)
            matrix[:, start:stop] = self.project(identity)
        return matrix

    def project(self, weight: Tensor) -> Tensor:
        """H @ weight without gradients."""
        product = self.adjacency.hops(kernels.sparse_matmul(*self.rows, weight), self.aggregation, self.steps)
        if self.row_scale is not None:
            product.mul_(self.row_scale)
        if self.row_offset is not None:
            product.addr_(self.row_offset.to(weight.dtype), weight.sum(0))
        return product

    def project_back(self, gradient: Tensor) -> Tensor:
        """Hᵀ @ gradient."""
        scaled = gradient if self.row_scale is None else gradient * self.row_scale
        hops = self.adjacency.hops(scaled, self.aggregation, self.steps, transposed=True)
        product = kernels.sparse_matmul(*self.columns, hops)
        if self.row_offset is not None:
            product += self.row_offset.to(gradient.dtype) @ gradient
        return product


# What a first layer may be given; all it may do with it is multiply by a weight.
Features = DenseFeatures | FactoredFeatures | Tensor


class _Project(torch.autograd.Function):
    """Linear in the weight: nothing is saved for the backward pass."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, features: FactoredFeatures) -> Tensor:
        ctx.features = features
        return features.project(weight)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return ctx.features.project_back(gradient), None


def denoised_features(
    reports: Factored | NDArray[np.float32],
    adjacency: Adjacency,
    steps: int,
    aggregation: Aggregation = "gcn",
    *,
    weights: Tensor | None = None,
    midpoint: float = 0.0,
    form: Literal["auto", "factored", "dense"] = "auto",
    width: int = 32,
    epochs: int = 500,
) -> DenseFeatures | FactoredFeatures:
    """Estimated features after KProp.

    Args:
        reports: the estimates.
        adjacency: the graph.
        steps, aggregation, weights: KProp's.
        midpoint: what is assumed of a feature about which nothing is known.
        form: ``"factored"`` never builds n × d, ``"dense"`` does it once; ``"auto"`` takes the cheaper of
            the two for products with ``width`` columns over ``epochs`` epochs. Both give the same numbers.
    """
    if isinstance(reports, Factored):
        factored = FactoredFeatures(reports, adjacency, steps, aggregation, weights, midpoint)
        if form == "dense" or (form == "auto" and dense_is_cheaper(reports, adjacency, steps, width, epochs)):
            return DenseFeatures(factored.dense())
        return factored
    if form == "factored":
        raise ValueError("form='factored' needs sparse reports, but this mechanism sends all features")
    matrix = torch.empty(reports.shape, device=adjacency.device)
    for start in range(0, reports.shape[1], COLUMNS):
        block = torch.from_numpy(np.ascontiguousarray(reports[:, start : start + COLUMNS])).to(
            adjacency.device
        )
        matrix[:, start : start + COLUMNS] = kprop(
            block, adjacency, steps, aggregation, weights=weights, neutral=midpoint
        )
    return DenseFeatures(matrix)


def dense_is_cheaper(reports: Factored, adjacency: Adjacency, steps: int, width: int, epochs: int) -> bool:
    """Whether building A^K X' once fits and pays: multiply-adds on either side, at measured prices."""
    nodes, features = reports.shape
    if 4 * nodes * features > DENSE_LIMIT:
        return False
    hops = steps * adjacency.indices.numel()
    factored = epochs * 2 * width * (hops + reports.num_stored) * SPARSE_COST
    dense = epochs * 2 * width * nodes * features * DENSE_COST + features * hops * SPARSE_COST
    return dense < factored


def _to_torch(matrix: Any, device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    return (
        torch.from_numpy(matrix.indptr.astype(np.int32)).to(device),
        torch.from_numpy(matrix.indices.astype(np.int32)).to(device),
        torch.from_numpy(matrix.data.astype(np.float32)).to(device),
    )
