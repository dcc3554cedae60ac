"""The features of people as rows of fixed norm: each is scaled by itself, without a look at others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

# Rows that are dense at a time when everybody's are wanted.
BLOCK = 2048


class Rows:
    """Rows of a matrix, sparse until they are asked for."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix.astype(np.float32, copy=False)
        self.count, self.width = map(int, matrix.shape)

    def __call__(self, ids: Tensor) -> Tensor:
        """The rows of these people, dense."""
        picked = self.matrix[ids.numpy()]
        return torch.from_numpy(picked.toarray() if sp.issparse(picked) else picked)

    def of(self, people: Any) -> Rows:
        """The rows of some people, numbered from 0."""
        return Rows(self.matrix[people])

    @torch.no_grad()
    def through(self, function: Any) -> Tensor:
        """What a function of rows gives for everybody, a block at a time."""
        return torch.cat([function(self(block)) for block in blocks(torch.arange(self.count), BLOCK)])


def scaled_rows(features: Any, norm: Literal["l1", "l2"]) -> Any:
    """Every row divided by its norm where that is above 1e-12; in a row of zeros nothing changes."""
    if sp.issparse(features):
        powers = abs(features) if norm == "l1" else features.multiply(features)
        sizes = np.asarray(powers.sum(axis=1), np.float64).ravel()
        sizes = sizes if norm == "l1" else np.sqrt(sizes)
        factors = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 1e-12)
        return sp.csr_array(sp.diags_array(factors.astype(np.float32)) @ features)
    order = 1 if norm == "l1" else 2
    sizes = np.linalg.norm(features.astype(np.float64), ord=order, axis=1, keepdims=True)
    scaled = np.divide(features, sizes, out=np.zeros(features.shape, np.float64), where=sizes > 1e-12)
    return scaled.astype(np.float32)


def clipped_rows(rows: Tensor, norm: float) -> Tensor:
    """Rows longer than ``norm`` are shortened to it: the nearest point of the ball."""
    sizes = torch.linalg.vector_norm(rows, dim=1, keepdim=True)
    shortened: Tensor = rows * (norm / sizes.clamp(min=norm))
    return shortened


def blocks(rows: Tensor, size: int) -> Iterator[Tensor]:
    """The rows, ``size`` at a time."""
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
