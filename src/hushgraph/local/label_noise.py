"""What randomised response did to labels, as losses need it: the same for all, or by each person's level."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from hushgraph.collection.collected import CollectedGraph
from hushgraph.denoise.correction import forward_correction

# Noise so rare that its logarithm would be infinite in single precision.
NO_NOISE = 1e-30


class LabelNoise:
    """The channel from a class to a reported label: stays with ``keep``, is each other one with ``other``.

    With several levels of privacy each person has their own. Where predictions are smoothed over people
    before they meet a label, all get the mean one, so that none is mixed with somebody else's noise.

    Attributes:
        keep_minus_other, other: of all alike, or the mean over those who gave a label.
        perfect_accuracy: the share of reported labels that a perfect model would predict, LPGNN's Acc*.
    """

    def __init__(self, collected: CollectedGraph, device: torch.device) -> None:
        channel = collected.label_channel
        self.levels: tuple[Tensor, ...] | None = None
        if isinstance(channel.keep, float):
            keep, other = channel.keep, float(channel.other)
        else:
            answered = collected.labels >= 0
            kept, others = channel.keep, np.asarray(channel.other)
            keep, other = float(kept[answered].mean()), float(others[answered].mean())
            parts = kept - others, others
            self.levels = tuple(torch.as_tensor(part, dtype=torch.float32, device=device) for part in parts)
        self.keep_minus_other, self.other, self.perfect_accuracy = keep - other, other, keep

    @property
    def is_none(self) -> bool:
        """Whether labels are as good as true."""
        return self.other < NO_NOISE

    def of(self, probability: Tensor, people: Tensor | None = None) -> Tensor:
        r"""Forward correction: P(reported label) from P(class), :math:`\hat p(y' | x)` of LPGNN's eq. 13.

        With ``people``, (classes, people) by each one's own level; without, all get the mean noise, in any
        layout.
        """
        keep_minus_other: Tensor | float = self.keep_minus_other
        other: Tensor | float = self.other
        if self.levels is not None and people is not None:
            keep_minus_other, other = (part.index_select(0, people) for part in self.levels)
        return forward_correction(probability, keep_minus_other, other)

    def of_levels(self, share: Tensor, people: Tensor) -> Tensor:
        """From the mean noise to each person's own, (people, classes); with one level they are the same."""
        if self.levels is None:
            return share
        # Rounding may leave a share just below what the noise alone gives.
        clean = ((share - self.other) / self.keep_minus_other).clamp(min=0)
        return self.of(clean.t(), people).t()

    def votes(self, one_hot: Tensor, answered: Tensor) -> tuple[Tensor, Tensor]:
        """What reported labels say for each class, and how much each counts when these are averaged.

        With one level the labels themselves; with several, unbiased estimates (y' - q) / (p - q) weighted by
        the inverse of their variance q(1 - q) / (p - q)², that of a class which is not the person's own.
        """
        if self.levels is None:
            return one_hot, answered
        keep_minus_other, other = self.levels
        precision = keep_minus_other.square() / (other * (1 - other)).clamp(min=torch.finfo().tiny)
        weights = torch.where(answered, precision / precision[answered].max(), 0.0)
        return (one_hot - other.unsqueeze(1)) / keep_minus_other.unsqueeze(1), weights
