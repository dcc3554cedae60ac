"""One sparse kernel for all of hushgraph: CSR times a dense matrix."""

from __future__ import annotations

import warnings

import torch
from torch import Tensor


def sparse_matmul(indptr: Tensor, indices: Tensor, data: Tensor | None, dense: Tensor) -> Tensor:
    """``S @ dense`` for a CSR matrix S; ``data`` None stands for ones. Empty rows give zero.

    On the CPU in single precision this is an embedding bag, several times as fast as torch's CSR product at
    the widths of a GNN (benchmarks/kernels.py); elsewhere the CSR product is the faster one.
    """
    if dense.device.type == "cpu" and dense.dtype == torch.float32:
        if indices.numel() == 0:
            return dense.new_zeros(indptr.numel() - 1, dense.shape[1])
        bags: tuple[Tensor, ...] = torch.embedding_bag(
            dense.contiguous(), indices, indptr, False, 0, False, data, True
        )
        return bags[0]
    values = torch.ones(indices.numel(), device=dense.device) if data is None else data
    stored, shape = (indptr, indices, values.to(dense.dtype)), (indptr.numel() - 1, dense.shape[0])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse", category=UserWarning)
        matrix = torch.sparse_csr_tensor(*stored, size=shape, check_invariants=False)
    product: Tensor = matrix @ dense
    return product
