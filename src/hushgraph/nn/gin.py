"""GIN."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from hushgraph.denoise import Adjacency, Features
from hushgraph.nn import parameters


class GINLayer(nn.Module):
    r"""The graph isomorphism layer of Xu et al. (ICLR 2019), with a two-layer perceptron.

    .. math:: h_v = W_2^T \, SELU(W_1^T ((1 + \theta) x_v + \sum_{u \in N(v)} x_u) + b_1) + b_2

    The first product is linear, so it is taken before the sum over neighbours.

    Shapes: x (n, inputs), output (n, outputs).
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = parameters.uniform(inputs, outputs)
        self.bias = parameters.bias(inputs, outputs)
        self.own = nn.Parameter(torch.zeros(()))
        self.second_weight = parameters.uniform(outputs, outputs)
        self.second_bias = parameters.bias(outputs, outputs)

    def forward(self, x: Features, adjacency: Adjacency) -> Tensor:
        """One layer."""
        z = x @ self.weight
        z = (1 + self.own) * z + adjacency.propagate(z, "sum") + self.bias
        return functional.selu(z) @ self.second_weight + self.second_bias
