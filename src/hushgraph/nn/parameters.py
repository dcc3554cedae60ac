"""Initial weights, in the layout that lets a sparse matrix pick rows: (in_channels, out_channels)."""

from __future__ import annotations

import math

import torch
from torch import nn


def uniform(in_channels: int, out_channels: int) -> nn.Parameter:
    """Uniform in ±1/√in_channels, as a linear layer of torch starts."""
    bound = 1 / math.sqrt(in_channels)
    return nn.Parameter(torch.empty(in_channels, out_channels).uniform_(-bound, bound))


def glorot(in_channels: int, out_channels: int) -> nn.Parameter:
    """Uniform in ±√(6 / (in_channels + out_channels))."""
    bound = math.sqrt(6 / (in_channels + out_channels))
    return nn.Parameter(torch.empty(in_channels, out_channels).uniform_(-bound, bound))


def bias(in_channels: int, out_channels: int) -> nn.Parameter:
    """Uniform in ±1/√in_channels."""
    bound = 1 / math.sqrt(in_channels)
    return nn.Parameter(torch.empty(out_channels).uniform_(-bound, bound))


def zeros(out_channels: int) -> nn.Parameter:
    """Zeros."""
    return nn.Parameter(torch.zeros(out_channels))
