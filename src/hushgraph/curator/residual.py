"""Adaptive calibrated aggregation (ACA) of NIP-GNN: hops that are drawn back to the noisy sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from hushgraph.sparse import Adjacency


def adjacency_with_self(graph: Any, device: torch.device) -> Adjacency:
    """Rows that name those whom a sparse matrix (n, n) names, and the person themselves."""
    person, name = graph.nonzero()
    num_nodes = graph.shape[0]
    person = np.concatenate([person, np.arange(num_nodes)])
    name = np.concatenate([name, np.arange(num_nodes)])
    order = np.lexsort((name, person))
    starts = np.searchsorted(person[order], np.arange(num_nodes + 1))
    return Adjacency.from_lists(starts, name[order], device)


@torch.no_grad()
def adaptive_aggregation(sums: Tensor, adjacency: Adjacency, hops: int, tau: float) -> Tensor:
    """Equations 14 and 15, ``hops`` times: H ← H⁰ + γ·(Â·H - H⁰), γ = max(1 - τ / ‖Â·H - H⁰‖, 0) per row."""
    hidden = sums
    for _ in range(hops):
        change = adjacency.propagate(hidden, "gcn").sub_(sums)
        distance = change.norm(dim=1, keepdim=True).clamp_(min=1e-12)
        hidden = change.mul_((1 - tau / distance).clamp_(min=0)).add_(sums)
    return hidden
