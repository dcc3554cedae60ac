"""GraphSAGE."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hushgraph import _renamed
from hushgraph.nn import parameters
from hushgraph.sparse import Adjacency, Features


@_renamed.arguments(inputs="in_channels", outputs="out_channels")
class SAGELayer(nn.Module):
    r"""GraphSAGE with mean aggregation (Hamilton, Ying & Leskovec, NeurIPS 2017).

    .. math:: h_v = W_1^T \, mean_{u \in N(v)} x_u + W_2^T x_v + b

    Both products are taken first, in one, and only the ``out_channels`` columns of the first are averaged.

    Shapes: x (n, in_channels), output (n, out_channels).

    With weights of 1, each gets their own value and the mean of their friends' beside it:

    >>> layer, path = SAGELayer(1, 1), Adjacency.from_edges([[0, 1], [1, 2]], num_nodes=3)
    >>> _ = nn.init.ones_(layer.weight), nn.init.zeros_(layer.bias)
    >>> layer(torch.tensor([[1.0], [3.0], [5.0]]), path).ravel().tolist()
    [4.0, 6.0, 8.0]
    """

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        neighbors = parameters.linear(in_channels, in_channels, out_channels)
        own = parameters.linear(in_channels, in_channels, out_channels)
        self.weight = nn.Parameter(torch.cat([neighbors, own], dim=1).detach())
        self.bias = parameters.linear(in_channels, out_channels)

    def forward(self, x: Features, adjacency: Adjacency) -> Tensor:
        """One layer."""
        neighbors, own = (x @ self.weight).chunk(2, dim=1)
        return adjacency.propagate(neighbors, "mean").add_(own).add_(self.bias)
