"""Propagated features H, dense or factored: whatever a first layer asks is H @ W."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from hushgraph.choices import Aggregation
from hushgraph.sparse import kernels
from hushgraph.sparse.adjacency import Adjacency

# Columns propagated at a time when the dense matrix is built: bounds the temporary memory.
COLUMNS = 256


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

    Everything up to the first weight is linear. With S sparse,

    .. math:: H W = r \odot A^K (S W) + o\, (1^T W)

    so the K hops carry the columns of W instead of d.

    Args:
        matrix: S, a scipy CSR array (n, d).
        adjacency, steps, aggregation: A and K.
        row_scale: r, by which rows are multiplied after the hops (n,); None for ones.
        row_offset: o, what is added to all columns of a row (n,); None for zeros.
    """

    def __init__(
        self,
        matrix: Any,
        adjacency: Adjacency,
        steps: int,
        aggregation: Aggregation,
        row_scale: Tensor | None = None,
        row_offset: Tensor | None = None,
    ) -> None:
        self.rows = _to_torch(matrix, adjacency.device)
        self.columns = _to_torch(matrix.T.tocsr(), adjacency.device)
        self.adjacency, self.steps, self.aggregation = adjacency, steps, aggregation
        self.shape = torch.Size(matrix.shape)
        self.row_scale = None if row_scale is None else row_scale.unsqueeze(1)
        self.row_offset = row_offset

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


def _to_torch(matrix: Any, device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    arrays = matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data.astype(np.float32)
    indptr, indices, data = (torch.from_numpy(array).to(device) for array in arrays)
    return indptr, indices, data
