"""Principal components of reported features, people's own and those around them."""

from __future__ import annotations

import torch
from torch import Tensor

from hushgraph.local.cascade.reported_features import ReportedFeatures
from hushgraph.local.cascade.spectra import SPARE, unit_rows
from hushgraph.local.cascade.walk import Walk

WIDTH, ROUNDS = 256, 3
# Of people's own features, and of what a walk of two steps gathers.
DISTANCES = (0, 2)


def feature_embeddings(features: ReportedFeatures, walk: Walk, generator: torch.Generator) -> list[Tensor]:
    r"""Everybody's direction in the leading 256 components of :math:`X` and of :math:`P^2 X`.

    By randomised subspace iteration on both sides, :math:`V \to X^T X V`; components count by the root of
    their singular value, between all alike and as long as they are. Rows have length 1: how much somebody's
    neighbours sent says nothing of their class.
    """
    return [_embedding(features, walk, steps, generator) for steps in DISTANCES]


def _embedding(features: ReportedFeatures, walk: Walk, steps: int, generator: torch.Generator) -> Tensor:
    people, count = features.num_people, features.num_features
    width = min(WIDTH + SPARE, people, count)

    def there(right: Tensor) -> Tensor:
        gathered = walk.step(features.times(right), steps)
        return gathered - gathered.mean(0)

    def back(left: Tensor) -> Tensor:
        return features.transposed_times(walk.step_back(left - left.mean(0), steps))

    right = torch.randn(count, width, generator=generator).to(walk.device)
    # Two orthonormal bases a round: singular values decay too fast for their squares in single precision.
    for _ in range(ROUNDS):
        right = torch.linalg.qr(back(torch.linalg.qr(there(right)).Q)).Q
    left, lengths, _ = torch.linalg.svd(there(right), full_matrices=False)
    kept = min(WIDTH, width)
    share = (lengths[:kept] / lengths[0].clamp(min=1e-9)).sqrt()
    return unit_rows(left[:, :kept] * share)
