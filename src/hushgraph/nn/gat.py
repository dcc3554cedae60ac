"""GAT."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from hushgraph import _renamed
from hushgraph.nn import parameters
from hushgraph.sparse import Adjacency, Features


@_renamed.arguments(inputs="in_channels", outputs="out_channels")
class GATLayer(nn.Module):
    r"""Graph attention (Veličković et al., ICLR 2018), self-loops included.

    .. math::
        h_v = \sum_{u \in N(v) \cup \{v\}} \alpha_{uv} W^T x_u + b, \quad
        \alpha_{uv} \propto \exp(LeakyReLU(a_s^T W^T x_u + a_t^T W^T x_v))

    Shapes: x (n, in_channels), output (n, heads · out_channels), the heads one beside the other.

    A head whose a is 0 attends to all alike. One that likes large values listens to the largest:

    >>> layer, path = GATLayer(1, 1, heads=2), Adjacency.from_edges([[0, 1], [1, 2]], num_nodes=3)
    >>> _ = nn.init.ones_(layer.weight), nn.init.zeros_(layer.target)
    >>> layer.source.data = torch.tensor([[0.0], [50.0]])
    >>> layer(torch.tensor([[1.0], [3.0], [5.0]]), path).tolist()
    [[2.0, 3.0], [3.0, 5.0], [4.0, 5.0]]
    """

    def __init__(self, in_channels: int, out_channels: int, heads: int) -> None:
        super().__init__()
        self.heads, self.out_channels = heads, out_channels
        self.weight = parameters.glorot(in_channels, heads * out_channels)
        self.source = parameters.glorot(heads, out_channels)
        self.target = parameters.glorot(heads, out_channels)
        self.bias = nn.Parameter(torch.zeros(heads * out_channels))

    def forward(self, x: Features, adjacency: Adjacency) -> Tensor:
        """One layer."""
        z = (x @ self.weight).view(-1, self.heads, self.out_channels)
        source, target = adjacency.edge_index
        from_source, from_target = (z * self.source).sum(-1), (z * self.target).sum(-1)
        among_neighbors = functional.leaky_relu(from_source[source] + from_target[target], 0.2)
        to_itself = functional.leaky_relu(from_source + from_target, 0.2)
        with torch.no_grad():
            rows = target.unsqueeze(1).expand(-1, self.heads)
            largest = to_itself.scatter_reduce(0, rows, among_neighbors, "amax")
        weight, own = torch.exp(among_neighbors - largest[target]), torch.exp(to_itself - largest)
        if adjacency.values is not None:
            weight = weight * adjacency.values.unsqueeze(1)
        total = own.index_add(0, target, weight)
        summed = (own.unsqueeze(-1) * z).index_add(0, target, weight.unsqueeze(-1) * z[source])
        return (summed / total.unsqueeze(-1)).flatten(1) + self.bias
