"""Any PyG module as a backbone."""

from __future__ import annotations

import inspect

from torch import Tensor, nn

from hushgraph.nn.backbone import Backbone
from hushgraph.sparse import Adjacency, Features


class ModuleAdapter(Backbone):
    """Wraps a module ``forward(x, edge_index) -> logits (n, num_classes)``.

    The module gets the denoised features as a dense tensor, n × d, and both directions of every edge; and
    ``edge_weight`` where edges have weights.

    >>> import torch
    >>> class Friends(nn.Module):
    ...     def forward(self, x, edge_index):
    ...         friend, person = edge_index
    ...         return torch.zeros_like(x).index_add(0, person, x[friend])
    >>> path = Adjacency.from_edges([[0, 1], [1, 2]], num_nodes=3)
    >>> ModuleAdapter(Friends(), num_classes=3)(torch.eye(3), path).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """

    def __init__(self, module: nn.Module, num_classes: int) -> None:
        super().__init__()
        self.module, self.num_classes = module, num_classes
        self._dense: tuple[Features, Tensor] | None = None

    def encode(self, x: Features, adjacency: Adjacency) -> Tensor:
        """The dense features; made once for each x."""
        if self._dense is None or self._dense[0] is not x:
            self._dense = x, x if isinstance(x, Tensor) else x.dense()
        return self._dense[1]

    def classify(self, hidden: Tensor, adjacency: Adjacency) -> Tensor:
        """The wrapped module's logits."""
        weights = {}
        if adjacency.values is not None:
            taken = inspect.signature(self.module.forward).parameters.values()
            if not any(one.name == "edge_weight" or one.kind is one.VAR_KEYWORD for one in taken):
                raise ValueError(
                    "edges have weights here, but the module's forward takes no edge_weight; LPGNN with"
                    " structure='both' needs none"
                )
            weights = {"edge_weight": adjacency.values}
        logits: Tensor = self.module(hidden, adjacency.edge_index, **weights)
        expected = (hidden.shape[0], self.num_classes)
        if logits.shape != expected:
            raise ValueError(f"the module must return logits of shape {expected}, got {tuple(logits.shape)}")
        return logits

    @property
    def is_deterministic(self) -> bool:
        """False: what a stranger's module does in training is unknown."""
        return False
