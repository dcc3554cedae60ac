"""GIN."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from hushgraph import _renamed
from hushgraph.nn import parameters
from hushgraph.sparse import Adjacency, Features


@_renamed.arguments(inputs="in_channels", outputs="out_channels")
class GINLayer(nn.Module):
    r"""The graph isomorphism layer of Xu et al. (ICLR 2019), with a two-layer perceptron.

    .. math:: h_v = W_2^T \, SELU(W_1^T ((1 + \theta) x_v + \sum_{u \in N(v)} x_u) + b_1) + b_2

    The first product is linear, so it is taken before the sum over neighbours.

    Shapes: x (n, in_channels), output (n, out_channels).

    Being a sum, it tells one friend from two who are alike, which a mean cannot:

    >>> layer, path = GINLayer(1, 1), Adjacency.from_edges([[0, 1], [1, 2]], num_nodes=3)
    >>> at_an_end, in_the_middle, at_the_other = layer(torch.ones(3, 1), path).ravel().tolist()
    >>> at_an_end == at_the_other, at_an_end == in_the_middle
    (True, False)
    """

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.weight = parameters.linear(in_channels, in_channels, out_channels)
        self.bias = parameters.linear(in_channels, out_channels)
        self.own = nn.Parameter(torch.zeros(()))
        self.second_weight = parameters.linear(out_channels, out_channels, out_channels)
        self.second_bias = parameters.linear(out_channels, out_channels)

    def forward(self, x: Features, adjacency: Adjacency) -> Tensor:
        """One layer."""
        z = x @ self.weight
        z = (1 + self.own) * z + adjacency.propagate(z, "sum") + self.bias
        return functional.selu(z) @ self.second_weight + self.second_bias
