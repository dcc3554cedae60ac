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
    """Layer, SELU, dropout, layer."""

    def __init__(self, first: nn.Module, second: nn.Module, dropout: float) -> None:
        super().__init__()
        self.first, self.second = first, second
        self.dropout = Dropout(dropout)

    def encode(self, x: Features, adjacency: Adjacency) -> Tensor:
        """The first layer and its activation."""
        hidden: Tensor = functional.selu(self.first(x, adjacency), inplace=True)
        return hidden

    def classify(self, hidden: Tensor, adjacency: Adjacency) -> Tensor:
        """Dropout and the second layer."""
        logits: Tensor = self.second(self.dropout(hidden), adjacency)
        return logits

    @property
    def is_deterministic(self) -> bool:
        """Whether there is no dropout."""
        return self.dropout.dropped == 0
