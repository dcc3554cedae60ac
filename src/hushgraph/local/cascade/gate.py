"""The gate of a layer: how far each smoother is believed, and what is concluded."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Gate:
    r"""Softmax regression on what S smoothers say of each class.

    .. math:: \log P(c) = b_c + \sum_s \big( (w_s + d\, v_s)\, z_{sc} + \sum_{c'} z_{sc'} D_{s c' c} \big)

    with z what smoother s says of class c, in units of ``scale``, and d the degree of the person: with many
    friends, hops deserve more belief.

    Attributes:
        mixing: :math:`w_s I + D_s`, (S, c, c).
        by_degree: v (S,).
        bias: b (c,).
    """

    mixing: Tensor
    by_degree: Tensor
    bias: Tensor

    def logits(self, channels: list[Tensor], degree: Tensor) -> Tensor:
        """From channels in groups, each (n, s, c), together S; and standardised degrees (n,)."""
        found, begin = self.bias.expand(degree.numel(), -1).clone(), 0
        for group in channels:
            people, width, classes = group.shape
            part = slice(begin, begin + width)
            both = columns(self.mixing[part], self.by_degree[part])
            said = group.reshape(people, width * classes) @ both
            found += said[:, :classes]
            found.addcmul_(degree.unsqueeze(1), said[:, classes:])
            begin += width
        return found

    def to(self, device: torch.device) -> Gate:
        """The same elsewhere."""
        return Gate(self.mixing.to(device), self.by_degree.to(device), self.bias.to(device))


def columns(mixing: Tensor, by_degree: Tensor) -> Tensor:
    """The matrix (S·c, 2c) whose product is what all say, and what the degree is multiplied by."""
    count, classes = mixing.shape[:2]
    eye = torch.eye(classes, device=mixing.device)
    with_degree = by_degree.reshape(-1, 1, 1) * eye
    return torch.cat([mixing, with_degree], dim=2).reshape(count * classes, 2 * classes)
