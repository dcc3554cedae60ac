"""The plain formulation of LPGNN, as a careful port of the public reference to current libraries writes it.

Dense n × d features, randomised and rectified as dense matrices; KProp computed once and cached; PyG's
SAGEConv over torch's CSR matrix, which aggregates before it multiplies; a separate validation pass. It is
what the benchmarks compare with.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.nn import SAGEConv
from torch_geometric.nn.conv.gcn_conv import gcn_norm

from hushgraph.edges import both_directions
from hushgraph.graph import Graph
from hushgraph.split import Split


def sparse(edge_index: Tensor, weight: Tensor, nodes: int) -> Tensor:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse", category=UserWarning)
        return torch.sparse_coo_tensor(edge_index.flip(0), weight, (nodes, nodes)).to_sparse_csr()


def kprop(x: Tensor, adjacency: Tensor, steps: int) -> Tensor:
    for _ in range(steps):
        x = adjacency @ x
    return x


class GraphSAGE(nn.Module):
    def __init__(self, inputs: int, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.first, self.second = SAGEConv(inputs, hidden), SAGEConv(hidden, outputs)
        self.dropout = dropout

    def forward(self, x: Tensor, adjacency: Tensor) -> Tensor:
        hidden = functional.selu(self.first(x, adjacency))
        hidden = functional.dropout(hidden, self.dropout, self.training)
        logits: Tensor = self.second(hidden, adjacency)
        return logits.softmax(1)


def multi_bit(x: Tensor, epsilon: float) -> Tensor:
    """The rectified multi-bit reports of features in [0, 1], all as n × d matrices."""
    features = x.shape[1]
    m = max(1, min(features, int(epsilon / 2.18)))
    chosen = torch.rand_like(x).topk(m, dim=1).indices
    mask = torch.zeros_like(x).scatter(1, chosen, 1.0)
    e = math.exp(epsilon / m)
    signs = mask * (2 * torch.bernoulli(1 / (e + 1) + x * (e - 1) / (e + 1)) - 1)
    return features / (2 * m) * (e + 1) / (e - 1) * signs + 0.5


def train(
    graph: Graph,
    split: Split,
    *,
    epsilon_x: float,
    epsilon_y: float,
    k_x: int,
    k_y: int,
    learning_rate: float,
    weight_decay: float,
    dropout: float,
    epochs: int,
    on_epoch: Callable[[], None],
) -> float:
    """Randomises, trains and returns the best validation loss."""
    torch.manual_seed(0)
    nodes, classes = graph.num_nodes, graph.num_classes
    rectified = multi_bit(torch.from_numpy(graph.features.toarray()), epsilon_x)
    both = torch.from_numpy(both_directions(graph.edges))
    edge_index, weight = gcn_norm(both, num_nodes=nodes, add_self_loops=False)
    normalised = sparse(edge_index, weight, nodes)
    adjacency = sparse(edge_index, torch.ones_like(weight), nodes)
    features = kprop(rectified, normalised, k_x)
    del rectified
    limit = math.exp(epsilon_y) / (math.exp(epsilon_y) + classes - 1)
    transition = torch.full((classes, classes), (1 - limit) / (classes - 1)).fill_diagonal_(limit)
    labels = torch.multinomial(transition[torch.from_numpy(graph.labels)], 1).squeeze(1)
    train_nodes, val_nodes = torch.from_numpy(split.train), torch.from_numpy(split.val)
    reported = torch.zeros(nodes, 1)
    reported[train_nodes], reported[val_nodes] = 1.0, 1.0
    targets = kprop(functional.one_hot(labels, classes) * reported, normalised, k_y).argmax(1)[train_nodes]

    model = GraphSAGE(graph.num_features, 16, classes, dropout)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate, weight_decay=weight_decay)
    best, weights = float("inf"), None
    for _ in range(epochs):
        model.train()
        probability = model(features, adjacency)
        smoothed = kprop(probability @ transition, normalised, k_y).softmax(1)
        loss = functional.nll_loss(smoothed.log()[train_nodes], targets)
        train_accuracy = (probability[train_nodes].argmax(1) == labels[train_nodes]).float().mean().item()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        model.eval()
        with torch.no_grad():
            probability = model(features, adjacency)
            noisy = (probability @ transition).log()[val_nodes]
            val_loss = functional.nll_loss(noisy, labels[val_nodes]).item()
            val_accuracy = (probability[val_nodes].argmax(1) == labels[val_nodes]).float().mean().item()
        if val_loss < best and train_accuracy <= limit and val_accuracy <= limit:
            best, weights = val_loss, {name: value.clone() for name, value in model.state_dict().items()}
        on_epoch()
    del weights
    return best
