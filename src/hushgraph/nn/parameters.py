"""Initial weights, in the layout that lets a sparse matrix pick rows: (inputs, outputs)."""

from __future__ import annotations

import math

import torch
from torch import nn


def uniform(inputs: int, outputs: int) -> nn.Parameter:
    """Uniform in ±1/√inputs, as a linear layer of torch starts."""
    bound = 1 / math.sqrt(inputs)
    return nn.Parameter(torch.empty(inputs, outputs).uniform_(-bound, bound))


def glorot(inputs: int, outputs: int) -> nn.Parameter:
    """Uniform in ±√(6 / (inputs + outputs))."""
    bound = math.sqrt(6 / (inputs + outputs))
    return nn.Parameter(torch.empty(inputs, outputs).uniform_(-bound, bound))


def bias(inputs: int, outputs: int) -> nn.Parameter:
    """Uniform in ±1/√inputs."""
    bound = 1 / math.sqrt(inputs)
    return nn.Parameter(torch.empty(outputs).uniform_(-bound, bound))


def zeros(outputs: int) -> nn.Parameter:
    """Zeros."""
    return nn.Parameter(torch.zeros(outputs))
