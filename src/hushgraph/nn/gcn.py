"""GCN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hushgraph import _renamed
from hushgraph.nn import parameters
from hushgraph.sparse import Adjacency, Features


@_renamed.arguments(inputs="in_channels", outputs="out_channels")
class GCNLayer(nn.Module):
    r"""The graph convolution of Kipf & Welling (ICLR 2017), self-loops included.

    .. math:: H = \hat D^{-1/2} (A + I) \hat D^{-1/2} X W + b

    Shapes: x (n, in_channels), output (n, out_channels).

    Two friends and somebody alone, with W = 1: friends get their average, who is alone keeps their own.

    >>> layer, friends = GCNLayer(1, 1), Adjacency.from_edges([[0], [1]], num_nodes=3)
    >>> _ = nn.init.ones_(layer.weight)
    >>> layer(torch.tensor([[1.0], [3.0], [5.0]]), friends).ravel().round(decimals=3).tolist()
    [2.0, 2.0, 5.0]
    """

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.weight = parameters.glorot(in_channels, out_channels)
        self.bias = nn.Parameter(torch.zeros(out_channels))

    def forward(self, x: Features, adjacency: Adjacency) -> Tensor:
        """One layer."""
        scale = torch.rsqrt(adjacency.degree + 1).unsqueeze(1)
        scaled = scale * (x @ self.weight)
        return scale * (adjacency.propagate(scaled, "sum") + scaled) + self.bias
