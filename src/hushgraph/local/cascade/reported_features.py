"""Noisy features as an operator: centred, weighted by how much each person's count, never n × d."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from hushgraph.collection.collected import CollectedGraph
from hushgraph.mechanisms import Factored
from hushgraph.sparse import kernels


class ReportedFeatures:
    r"""The matrix :math:`X = W (M - 1 \mu^T)`: unbiased estimates M, their column means μ and weights W.

    Weights are the inverse of each person's variance, and 0 of those who sent nothing: these are neither
    above nor below anything. A constant that a mechanism adds everywhere goes with the means.
    """

    def __init__(self, collected: CollectedGraph, device: torch.device) -> None:
        given, answered = collected.features, collected.answered
        assert given is not None
        weights = collected.feature_weights
        weights = answered.astype(np.float64) if weights is None else weights
        total = max(float(weights.sum()), 1e-12)
        self.num_people, self.num_features = given.shape
        self._weights = torch.from_numpy(weights.astype(np.float32)).to(device).unsqueeze(1)
        if isinstance(given, Factored):
            matrix = sp.csr_array((given.data, given.indices, given.indptr), shape=given.shape)
            means = np.asarray(matrix.T @ weights) / total
            self._rows, self._columns = _parts(matrix, device), _parts(matrix.T.tocsr(), device)
            self._dense = None
        else:
            means = np.asarray(weights.astype(np.float32) @ given, np.float64) / total
            self._dense = torch.from_numpy(np.ascontiguousarray(given, np.float32)).to(device)
        self._means = torch.from_numpy(np.asarray(means, np.float32)).to(device)

    def times(self, right: Tensor) -> Tensor:
        """X @ right, for right (d, width)."""
        product = (
            self._dense @ right if self._dense is not None else kernels.sparse_matmul(*self._rows, right)
        )
        return (product - self._means @ right).mul_(self._weights)

    def transposed_times(self, left: Tensor) -> Tensor:
        """Xᵀ @ left, for left (n, width)."""
        left = self._weights * left
        if self._dense is not None:
            product = self._dense.T @ left
        else:
            product = kernels.sparse_matmul(*self._columns, left)
        return product - torch.outer(self._means, left.sum(0))


def _parts(matrix: sp.csr_array, device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    arrays = matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data.astype(np.float32)
    indptr, indices, data = (torch.from_numpy(array).to(device) for array in arrays)
    return indptr, indices, data
