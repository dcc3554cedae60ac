"""Networks of the curator's methods."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn


def mlp(*widths: int) -> nn.Sequential:
    """Linear layers of these widths with SELU between them."""
    layers: list[nn.Module] = []
    for before, after in itertools.pairwise(widths):
        layers += [nn.SELU(), nn.Linear(before, after)]
    return nn.Sequential(*layers[1:])


def probabilities(logits: Tensor) -> NDArray[np.float32]:
    """Rows of logits as probabilities."""
    rows: NDArray[np.float32] = logits.detach().softmax(1).numpy()
    return rows
