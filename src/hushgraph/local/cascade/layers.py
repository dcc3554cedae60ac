"""One cascade: layers of smoothing and gates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hushgraph.local.cascade.gate import Gate
from hushgraph.local.cascade.gate_fit import fit_gate
from hushgraph.local.cascade.smoothers import Smoothers
from hushgraph.local.cascade.views import Views

LAYERS = 5
# A gate has S·c² parameters, some hundred where there are few classes: so many reports settle them.
MOST_REPORTS = 50_000
FLOOR = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """What was learned in a layer: its gate, and the units of its new channels (S,)."""

    gate: Gate
    scale: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """A cascade: its layers, which of the spectra it took, and where the searches for its gates ended."""

    layers: tuple[Layer, ...]
    turn: int
    positions: tuple[NDArray[np.float64], ...] = ()


def learn(
    views: Views,
    smoothers: Smoothers,
    degree: Tensor,
    turn: int,
    rng: np.random.Generator,
    start: Sequence[NDArray[np.float64]] | None = None,
) -> tuple[Learned, Tensor]:
    """A cascade learned from reports, and its posteriors (views, n, c).

    In each layer everybody's belief is what the last layer thinks of them in this view, times the likelihood
    of their own report unless it is hidden. What others believe is smoothed, and a gate weighs it. The
    gate is fitted to each report as seen in the view that hides it: it learns what smoothed evidence is
    worth for somebody whose own report is not in it, and test people are such. Given the gates, a view does
    not depend on the reports that it hides.

    Args:
        views, smoothers: of the same people.
        degree: standardised (n,).
        turn: which of the spectra to take.
        rng: draws reports to learn from where there are more than a gate needs.
        start: where to start the searches; those of another draw of folds are close.
    """
    chosen = _chosen(len(views.reports), rng).to(degree.device)
    reports = views.reports.only(chosen)
    posterior, first = views.prior(), None
    layers, positions = [], []
    for number in range(LAYERS):
        said = _said(posterior, views, smoothers, turn, deep=number > 0)
        scale = said[0, views.reports.people].std(dim=(0, 2)).add_(FLOOR)
        said /= scale.unsqueeze(1)
        groups = [said] if first is None else [said, first]
        rows = torch.cat([views.where_hidden(group, chosen) for group in groups], dim=1)
        at = None if start is None else start[number]
        gate, position = fit_gate(rows, degree[reports.people], reports, views.shares, at)
        posterior = _through(gate, groups, degree)
        first = said if first is None else first
        layers.append(Layer(gate, scale))
        positions.append(position)
        # What the next layer says must not stand beside what this one said.
        del said, groups, rows
    return Learned(tuple(layers), turn, tuple(positions)), posterior


def apply(learned: Learned, views: Views, smoothers: Smoothers, degree: Tensor) -> Tensor:
    """The posteriors (views, n, c) that a learned cascade has of people, who may be others."""
    posterior, first = views.prior(), None
    for number, layer in enumerate(learned.layers):
        said = _said(posterior, views, smoothers, learned.turn, deep=number > 0)
        said /= layer.scale.unsqueeze(1)
        posterior = _through(layer.gate, [said] if first is None else [said, first], degree)
        first = said if first is None else first
        del said
    return posterior


def _chosen(count: int, rng: np.random.Generator) -> Tensor:
    if count <= MOST_REPORTS:
        return torch.arange(count)
    return torch.from_numpy(np.sort(rng.choice(count, MOST_REPORTS, replace=False)))


def _said(posterior: Tensor, views: Views, smoothers: Smoothers, turn: int, *, deep: bool) -> Tensor:
    """A layer's own channels (views, n, S, c): smoothed beliefs and, after the first, the last posterior."""
    before = (posterior / views.shares).add_(FLOOR).log_() if deep else None
    return smoothers(views.beliefs(posterior), turn, before)


def _through(gate: Gate, groups: Sequence[Tensor], degree: Tensor) -> Tensor:
    """What a gate makes of the channels of each view."""
    each = zip(*groups, strict=True)
    return torch.stack([gate.logits(list(channels), degree).softmax(1) for channels in each])
