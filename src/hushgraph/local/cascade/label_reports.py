"""What people said of their classes, and how much to believe each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from hushgraph.collection.collected import CollectedGraph

# The least probability of a report: what went through no noise is believed, and a product stays a number.
LEAST = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class LabelReports:
    """Labels as they were reported through randomised response.

    Attributes:
        people: who reported, int64 (m,), rising.
        labels: what, int64 (m,).
        keep, other: the probability that a label stays, and that of each other label, float32 (m,): everybody
            has their own level.
        num_people, num_classes: n and c.
    """

    people: Tensor
    labels: Tensor
    keep: Tensor
    other: Tensor
    num_people: int
    num_classes: int

    @classmethod
    def of(cls, collected: CollectedGraph, device: torch.device | str = "cpu") -> LabelReports:
        """Those who train and those who validate, alike; where nobody does, everybody who gave a label.

        A report that says nothing in single precision, as at a budget of 1e-9, is none.
        """
        chosen = np.sort(np.concatenate([collected.train, collected.val]))
        people = chosen if chosen.size else np.flatnonzero(collected.labels >= 0)
        channel = collected.label_channel
        keep, other = (
            np.broadcast_to(part, collected.labels.shape).astype(np.float32)
            for part in (channel.keep, channel.other)
        )
        people = people[keep[people] > other[people]]
        arrays = {"people": people, "labels": collected.labels[people]}
        arrays |= {"keep": keep[people], "other": other[people]}
        tensors = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
        return cls(**tensors, num_people=collected.num_nodes, num_classes=collected.num_classes)

    def __len__(self) -> int:
        return self.people.numel()

    @property
    def strength(self) -> Tensor:
        """p - q of each: 1 without noise, 0 where a report says nothing."""
        return self.keep - self.other

    def only(self, which: Tensor) -> LabelReports:
        """Some of the reports, by a mask or by their positions."""
        parts = {name: getattr(self, name)[which] for name in ("people", "labels", "keep", "other")}
        return replace(self, **parts)

    def likelihood(self) -> Tensor:
        """The probability of everybody's report given each class (n, c); 1 of those who gave none."""
        likelihood = torch.ones(self.num_people, self.num_classes, device=self.people.device)
        likelihood[self.people] = self.other.clamp(min=LEAST).unsqueeze(1)
        likelihood[self.people, self.labels] = self.keep
        return likelihood

    def labels_of_everybody(self) -> np.ndarray:
        """Labels (n,), -1 of those who gave none, as :class:`~hushgraph.CollectedGraph` has them."""
        labels = np.full(self.num_people, -1, np.int64)
        labels[self.people.cpu().numpy()] = self.labels.cpu().numpy()
        return labels
