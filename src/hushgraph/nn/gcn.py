"""GCN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hushgraph.denoise import Adjacency, Features
from hushgraph.nn import parameters


class GCNLayer(nn.Module):
    r"""The graph convolution of Kipf & Welling (ICLR 2017), self-loops included.

    .. math:: H = \hat D^{-1/2} (A + I) \hat D^{-1/2} X W + b

    Shapes: x (n, inputs), output (n, outputs).
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = parameters.glorot(inputs, outputs)
        self.bias = parameters.zeros(outputs)

    def forward(self, x: Features, adjacency: Adjacency) -> Tensor:
        """One layer."""
        scale = torch.rsqrt(adjacency.degree + 1).unsqueeze(1)
        scaled = scale * (x @ self.weight)
        return scale * (adjacency.propagate(scaled, "sum") + scaled) + self.bias
