"""Who matters in a graph: topology-based node influence estimation (TNIE) of NIP-GNN, equations 6 to 8."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hushgraph.curator.rows import BLOCK, Rows, blocks, scaled_rows
from hushgraph.sparse import Adjacency


def ranks(scores: NDArray[Any]) -> NDArray[np.int64]:
    """1 for the least influential person, n for the most; ties in the order of the people."""
    places = np.empty(scores.size, np.int64)
    places[np.argsort(scores, kind="stable")] = np.arange(1, scores.size + 1)
    return places


def released_influence(degrees: NDArray[np.float64], graph: Any, sensing: int) -> NDArray[np.float32]:
    """Influence from released quantities alone: noisy degrees and the noisy graph, a matrix.

    Equations 7 and 8 with a constant in place of the features' embedding, λ = 1 and φ = 0: there is nothing
    private left to learn them from.
    """
    adjacency = Adjacency.from_edges(np.stack(graph.nonzero()), degrees.size)
    embedding = adjacency.propagate(torch.ones(degrees.size, 1), "gcn", sensing).squeeze(1)
    centrality = torch.from_numpy(np.log(np.maximum(degrees, 1.0))).float()
    scores: NDArray[np.float32] = (torch.sigmoid(centrality) * embedding).numpy()
    return scores


def learned_influence(
    features: Any, edges: NDArray[np.int32], num_nodes: int, sensing: int, *, epochs: int = 50
) -> NDArray[np.float32]:
    """TNIE as published: a perceptron on features, sensing, and a learned shift of the log-degree.

    The paper does not say what these are fitted to; here it is the logarithm of PageRank. Reads private
    features and edges without noise.
    """
    adjacency = Adjacency.from_edges(edges, num_nodes)
    rows = Rows(scaled_rows(features, "l2"))
    first, second = nn.Linear(rows.width, 16), nn.Linear(16, 1)
    shift = nn.Parameter(torch.tensor([1.0, 0.0]))
    log_degree = adjacency.degree.clamp(min=1).log()
    target = _page_rank(adjacency).log()
    target = (target - target.mean()) / target.std().clamp(min=1e-6)
    optimizer = torch.optim.Adam([*first.parameters(), *second.parameters(), shift], lr=0.01)
    everyone = torch.arange(rows.count)

    def scores() -> Tensor:
        hidden = torch.cat([first(rows(block)) for block in blocks(everyone, BLOCK)])
        embedding = adjacency.propagate(second(hidden.relu()), "gcn", sensing).squeeze(1)
        return torch.sigmoid(shift[0] * log_degree + shift[1]) * embedding

    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(scores(), target)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    with torch.no_grad():
        found: NDArray[np.float32] = scores().numpy()
    return found


def _page_rank(adjacency: Adjacency, damping: float = 0.85, steps: int = 50) -> Tensor:
    people = adjacency.num_nodes
    out = adjacency.degree.clamp(min=1).unsqueeze(1)
    rank = torch.full((people, 1), 1 / people)
    for _ in range(steps):
        rank = (1 - damping) / people + damping * adjacency.propagate(rank / out, "sum")
    return rank.squeeze(1)
