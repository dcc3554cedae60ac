"""What NIP-GNN releases, of either variant; everything else is computed from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.curator.aggregation import adjacency_matrix

# Rows that are summed at a time.
BLOCK = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """Noisy sums over neighbours (n, width), and who is named in whose row of the noisy graph."""

    sums: NDArray[np.float32]
    person: NDArray[np.int64]
    name: NDArray[np.int64]


def noisy_sums(
    rows: Any,
    edges: NDArray[np.int32],
    scales: NDArray[np.float64] | None,
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Sums of rows over neighbours, with Laplace noise of each person's own scale; a block at a time."""
    people, width = rows.shape
    matrix = adjacency_matrix(edges, people)
    sums = np.empty((people, width), np.float32)
    for start in range(0, people, BLOCK):
        block = slice(start, min(start + BLOCK, people))
        part = matrix[block] @ rows
        sums[block] = part.toarray() if hasattr(part, "toarray") else part
        if scales is not None:
            sums[block] += rng.laplace(0.0, scales[block, None], size=sums[block].shape)
    return sums
