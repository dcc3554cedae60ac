"""The two-layer GNN that all built-in backbones share."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from hushgraph.nn.dropout import Dropout
from hushgraph.sparse import Adjacency, Features


class Backbone(nn.Module):
    """A GNN in two parts: what is the same in training and evaluation, and what is not.

    Training and evaluation with the same weights share ``encode``, which holds the expensive first
    layer; only ``classify`` runs twice.

    One's own, which guesses that people are what their friends like:

    >>> import torch
    >>> class Friends(Backbone):
    ...     is_deterministic = True
    ...
    ...     def encode(self, x, adjacency):
    ...         return adjacency.propagate(x, "mean")
    ...
    ...     def classify(self, hidden, adjacency):
    ...         return hidden
    >>> Friends()(torch.eye(2), Adjacency.from_edges([[0], [1]], num_nodes=2)).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """

    def encode(self, x: Features, adjacency: Adjacency) -> Tensor:
        """The deterministic part."""
        raise NotImplementedError

    def classify(self, hidden: Tensor, adjacency: Adjacency) -> Tensor:
        """The rest, up to logits (n, num_classes)."""
        raise NotImplementedError

    @property
    def is_deterministic(self) -> bool:
        """Whether training and evaluation mode give the same logits."""
        raise NotImplementedError

    def forward(self, x: Features, adjacency: Adjacency) -> Tensor:
        """Logits."""
        return self.classify(self.encode(x, adjacency), adjacency)


class TwoLayer(Backbone):
    """Layer, SELU, dropout, layer.

    >>> import torch
    >>> from hushgraph.nn import GCNLayer
    >>> backbone = TwoLayer(GCNLayer(5, 16), GCNLayer(16, 3), dropout=0.5)
    >>> backbone(torch.ones(2, 5), Adjacency.from_edges([[0], [1]], num_nodes=2)).shape
    torch.Size([2, 3])
    """

    def __init__(self, first: nn.Module, second: nn.Module, dropout: float) -> None:
        super().__init__()
        self.first, self.second = first, second
        self.dropout = Dropout(dropout)

    def encode(self, x: Features, adjacency: Adjacency) -> Tensor:
        """The first layer and its activation."""
        return functional.selu(self.first(x, adjacency), inplace=True)

    def classify(self, hidden: Tensor, adjacency: Adjacency) -> Tensor:
        """Dropout and the second layer."""
        logits: Tensor = self.second(self.dropout(hidden), adjacency)
        return logits

    @property
    def is_deterministic(self) -> bool:
        """Whether there is no dropout."""
        return self.dropout.dropped == 0
