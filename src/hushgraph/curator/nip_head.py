"""What NIP-GNN computes from what it released: hops over the noisy graph, and a perceptron.

All of it is post-processing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hushgraph import _check
from hushgraph.curator.noisy_classifier import NoisyLabels, fit_perceptron
from hushgraph.curator.residual import adaptive_aggregation, adjacency_with_self
from hushgraph.curator.run import PrivateRun
from hushgraph.mechanisms import RandomizedResponse
from hushgraph.mechanisms.randomness import Random
from hushgraph.sparse.runtime import resolve_device, tuned_for

# Rows that are summed at a time.
BLOCK = 1024


@dataclass(frozen=True, slots=True)
class Head:
    """Settings: K and ACA, the perceptron, and where it is computed."""

    hops: int
    residual: bool
    epochs: int
    batch_size: int
    learning_rate: float
    hidden: int
    device: str

    def __post_init__(self) -> None:
        if not isinstance(self.residual, bool):
            raise TypeError(f"residual must be True or False, got {self.residual!r}")
        _check.count(self.hops, "hops", minimum=1)
        resolve_device(self.device)


def learn(
    run: PrivateRun,
    head: Head,
    sums: NDArray[np.float32],
    graph: Any,
    response: RandomizedResponse,
    *,
    corrected: bool,
) -> tuple[NDArray[np.float32], float | None]:
    """Class probabilities of everybody, and the τ that was learned.

    Args:
        run: labels leave through its part ``labels``, if it has one; otherwise they are no secret.
        head: the settings.
        sums: the released sums over neighbors (n, width).
        graph: the released graph, a sparse matrix (n, n).
        response: what labels go through.
        corrected: whether the loss is corrected for that.
    """
    device = resolve_device(head.device)
    rows = torch.from_numpy(sums).to(device)
    rows = rows / rows.square().mean().sqrt().clamp(min=1e-12)
    adjacency = adjacency_with_self(graph, device)
    means = None if head.residual else adjacency.propagate(rows, "mean", head.hops)

    def inputs_at(tau: float) -> list[Tensor]:
        if means is not None:
            return [rows, means]
        return [adaptive_aggregation(rows, adjacency, head.hops, tau)]

    with tuned_for(run.graph.num_edges):
        return fit_perceptron(
            inputs_at,
            _answers(run, response, corrected, device),
            hidden=head.hidden,
            epochs=head.epochs,
            batch_size=head.batch_size,
            learning_rate=head.learning_rate,
            tau=1.0 if head.residual else None,
            progress=run.progress,
        )


def _answers(
    run: PrivateRun, response: RandomizedResponse, corrected: bool, device: torch.device
) -> NoisyLabels:
    """Labels of those who train and validate, by randomised response; of others there are none."""
    truth, parts = run.graph.labels, [run.split.train, run.split.val]
    labels = np.full(run.graph.num_nodes, -1, np.int64)
    asked = np.concatenate(parts)
    if math.isinf(response.epsilon):
        # Labels are no secret: null records are left out.
        labels[asked] = truth[asked]
        parts = [part[truth[part] >= 0] for part in parts]
    else:
        labels[asked] = run.randomize(
            "labels", response.epsilon, lambda rng: label_answers(truth[asked], response, rng)
        )
    train, val, answers = (torch.from_numpy(part).to(device) for part in (*parts, labels))
    return NoisyLabels(train, val, answers, run.graph.num_classes, response if corrected else None)


def label_answers(labels: NDArray[np.int64], response: RandomizedResponse, rng: Random) -> NDArray[np.int64]:
    """Randomised response; a null record (-1) answers with any class, so that it looks like everybody."""
    answers = response.randomize(np.maximum(labels, 0), rng)
    empty = labels < 0
    answers[empty] = rng.integers(0, response.num_classes or 0, size=int(empty.sum()))
    return answers


def noisy_sums(
    rows: Any, matrix: Any, scales: NDArray[np.float64] | None, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Sums of rows over neighbors, with Laplace noise of each person's own scale; a block at a time."""
    people, width = rows.shape
    sums = np.empty((people, width), np.float32)
    for start in range(0, people, BLOCK):
        block = slice(start, min(start + BLOCK, people))
        part = matrix[block] @ rows
        sums[block] = part.toarray() if hasattr(part, "toarray") else part
        if scales is not None:
            sums[block] += rng.laplace(0.0, scales[block, None], size=sums[block].shape)
    return sums
