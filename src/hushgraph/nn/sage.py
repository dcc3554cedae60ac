"""GraphSAGE."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hushgraph.denoise import Adjacency, Features
from hushgraph.nn import parameters


class SAGELayer(nn.Module):
    r"""GraphSAGE with mean aggregation (Hamilton, Ying & Leskovec, NeurIPS 2017).

    .. math:: h_v = W_1^T \, mean_{u \in N(v)} x_u + W_2^T x_v + b

    Both products are taken first, in one, and only the ``outputs`` columns of the first are averaged.

    Shapes: x (n, inputs), output (n, outputs).
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        neighbours, own = parameters.uniform(inputs, outputs), parameters.uniform(inputs, outputs)
        self.weight = nn.Parameter(torch.cat([neighbours, own], dim=1).detach())
        self.bias = parameters.bias(inputs, outputs)

    def forward(self, x: Features, adjacency: Adjacency) -> Tensor:
        """One layer."""
        neighbours, own = (x @ self.weight).chunk(2, dim=1)
        return adjacency.propagate(neighbours, "mean").add_(own).add_(self.bias)
