"""Initial weights, in the layout that lets a sparse matrix pick rows: (in_channels, out_channels)."""

from __future__ import annotations

import math

import torch
from torch import nn


def linear(in_channels: int, *shape: int) -> nn.Parameter:
    """Uniform in ±1/√in_channels, as the weights and the bias of a linear layer of torch start."""
    bound = 1 / math.sqrt(in_channels)
    return nn.Parameter(torch.empty(shape).uniform_(-bound, bound))


def glorot(in_channels: int, out_channels: int) -> nn.Parameter:
    """Uniform in ±√(6 / (in_channels + out_channels))."""
    bound = math.sqrt(6 / (in_channels + out_channels))
    return nn.Parameter(torch.empty(in_channels, out_channels).uniform_(-bound, bound))
