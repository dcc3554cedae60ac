"""The one sparse kernel, against dense matrices."""

from __future__ import annotations

import pytest
import torch

from hushgraph.sparse.kernels import sparse_matmul

# Rows of 2, 0, 1 and 3 entries over five columns; the row in the middle and the last column are empty.
INDPTR = torch.tensor([0, 2, 2, 3, 6], dtype=torch.int32)
INDICES = torch.tensor([0, 3, 1, 0, 1, 2], dtype=torch.int32)
DATA = torch.tensor([1.0, -2.0, 0.5, 3.0, 4.0, -1.0])


def matrix(data):
    dense = torch.zeros(4, 5, dtype=torch.float64)
    rows = torch.repeat_interleave(torch.arange(4), INDPTR.diff().long())
    dense[rows, INDICES.long()] = (torch.ones(6) if data is None else data).double()
    return dense


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["embedding bag", "CSR"])
@pytest.mark.parametrize("data", [DATA, None], ids=["values", "ones"])
@pytest.mark.parametrize("width", [1, 7])
def test_both_ways_are_the_product_with_the_dense_matrix(dtype, data, width):
    x = torch.randn(5, width, dtype=dtype, generator=torch.Generator().manual_seed(0))
    product = sparse_matmul(INDPTR, INDICES, data, x)
    assert product.dtype == dtype
    torch.testing.assert_close(product.double(), matrix(data) @ x.double(), atol=1e-6, rtol=1e-6)
    assert not product[1].any()


def test_columns_that_lie_apart_in_memory_are_read_right():
    x = torch.arange(10.0).view(2, 5).t()
    assert not x.is_contiguous()
    torch.testing.assert_close(sparse_matmul(INDPTR, INDICES, DATA, x).double(), matrix(DATA) @ x.double())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_matrix_without_entries_gives_zeros(dtype):
    empty = torch.zeros(0, dtype=torch.int32)
    product = sparse_matmul(torch.zeros(4, dtype=torch.int32), empty, None, torch.ones(5, 2, dtype=dtype))
    assert torch.equal(product, torch.zeros(3, 2, dtype=dtype))
