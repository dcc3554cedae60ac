"""Ridge regression onto an embedding of people, as one more way to average."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

STRENGTHS = (0.1, 1.0, 10.0)


class Ridge:
    r"""The hat matrices :math:`E (E^T E + \lambda \frac n k I)^{-1} E^T` of an embedding (n, k), for three λ.

    Whoever is alike in E hears each other's opinions. λ n/k is a share λ of the mean eigenvalue where rows
    have length 1. E is turned to its principal axes once; every strength then is a diagonal in between.
    """

    def __init__(self, embedding: Tensor) -> None:
        values, turn = torch.linalg.eigh((embedding.T @ embedding).double())
        self.turned = (embedding @ turn.to(embedding.dtype)).contiguous()
        unit = embedding.shape[0] / embedding.shape[1]
        self.inverse = [
            (1 / (values.clamp(min=0) + strength * unit)).to(embedding.dtype).unsqueeze(1)
            for strength in STRENGTHS
        ]

    def __call__(self, x: Tensor) -> Iterator[Tensor]:
        """What each strength makes of x (n, width), one after another."""
        seen = self.turned.T @ x
        for inverse in self.inverse:
            yield self.turned @ (inverse * seen)
