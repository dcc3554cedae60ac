"""GAT."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from hushgraph.denoise import Adjacency, Features
from hushgraph.nn import parameters


class GATLayer(nn.Module):
    r"""Graph attention (Veličković et al., ICLR 2018), self-loops included.

    .. math::
        h_v = \sum_{u \in N(v) \cup \{v\}} \alpha_{uv} W^T x_u + b, \quad
        \alpha_{uv} \propto \exp(LeakyReLU(a_s^T W^T x_u + a_t^T W^T x_v))

    Args:
        inputs: width of x.
        outputs: width of each head.
        heads: number of heads; their outputs are concatenated.

    Shapes: x (n, inputs), output (n, heads · outputs).
    """

    def __init__(self, inputs: int, outputs: int, heads: int) -> None:
        super().__init__()
        self.heads, self.outputs = heads, outputs
        self.weight = parameters.glorot(inputs, heads * outputs)
        self.source = parameters.glorot(heads, outputs)
        self.target = parameters.glorot(heads, outputs)
        self.bias = parameters.zeros(heads * outputs)

    def forward(self, x: Features, adjacency: Adjacency) -> Tensor:
        """One layer."""
        z = (x @ self.weight).view(-1, self.heads, self.outputs)
        source, target = adjacency.edge_index
        from_source, from_target = (z * self.source).sum(-1), (z * self.target).sum(-1)
        among_neighbours = functional.leaky_relu(from_source[source] + from_target[target], 0.2)
        to_itself = functional.leaky_relu(from_source + from_target, 0.2)
        with torch.no_grad():
            largest = to_itself.scatter_reduce(
                0, target.unsqueeze(1).expand(-1, self.heads), among_neighbours, "amax"
            )
        weight, own = torch.exp(among_neighbours - largest[target]), torch.exp(to_itself - largest)
        if adjacency.values is not None:
            weight = weight * adjacency.values.unsqueeze(1)
        total = own.index_add(0, target, weight)
        summed = (own.unsqueeze(-1) * z).index_add(0, target, weight.unsqueeze(-1) * z[source])
        return (summed / total.unsqueeze(-1)).flatten(1) + self.bias
