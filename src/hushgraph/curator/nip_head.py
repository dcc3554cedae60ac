"""What both kinds of NIP-GNN compute from what they released: all of it is post-processing."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hushgraph import _check
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.noisy_classifier import NoisyLabels, fit_perceptron
from hushgraph.curator.residual import adaptive_aggregation, adjacency_with_self
from hushgraph.curator.run import PrivateRun
from hushgraph.mechanisms import RandomizedResponse
from hushgraph.mechanisms.randomized_response import with_any_class
from hushgraph.mechanisms.randomness import Random
from hushgraph.sparse.runtime import resolve_device, tuned_for

# Rows that are summed at a time.
BLOCK = 1024


class NIPMethod(CuratorMethod):
    """What the two kinds of NIP-GNN share: they release sums, a graph and labels, and learn from these alone.

    Args:
        hops: K of ACA.
        uniform: the same noise for everybody, instead of by influence (the paper's ablation w/o A-a).
        degree_sampling: thin the noisy graph to each person's degree (False: w/o D-s).
        residual: ACA; False aggregates as GraphSAGE does (w/o A-r).
        sensing: T of TNIE, how far influence looks.
        epochs, batch_size, learning_rate, hidden: of the perceptron.
        device: ``"cpu"``, ``"cuda"`` or ``"auto"``.

    The other arguments are those of :class:`CuratorMethod`.
    """

    COUNTS: ClassVar[tuple[str, ...]] = ("epochs", "hidden", "batch_size", "hops")
    OWN_DATA = False
    CORRECTED: ClassVar[bool]
    """Whether the loss is corrected for the noise of labels."""

    hops: int = 2
    uniform: bool = False
    degree_sampling: bool = True
    residual: bool = True
    sensing: int = 2
    epochs: int = 100
    batch_size: int = 64
    learning_rate: float = 1e-3
    device: str = "cpu"

    def release(self, run: PrivateRun) -> tuple[NDArray[np.float32], Any]:
        """Sums over neighbors (n, width) and the graph, a sparse matrix; noisy if there is a budget."""
        raise NotImplementedError

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        super().check_params()
        _check.count(self.sensing, "sensing")
        for name in ("uniform", "degree_sampling", "residual"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be True or False, got {getattr(self, name)!r}")
        resolve_device(self.device)

    def learn(self, run: PrivateRun) -> NDArray[np.float32]:
        """Releases everything; then hops over the noisy graph, and a perceptron."""
        device = resolve_device(self.device)
        sums, graph = self.release(run)
        rows = torch.from_numpy(sums).to(device)
        rows = rows / rows.square().mean().sqrt().clamp(min=1e-12)
        adjacency = adjacency_with_self(graph, device)
        means = None if self.residual else adjacency.propagate(rows, "mean", self.hops)

        def inputs_at(tau: float) -> list[Tensor]:
            if means is not None:
                return [rows, means]
            return [adaptive_aggregation(rows, adjacency, self.hops, tau)]

        epsilon = self.budget_.get("labels", math.inf) if self.private else math.inf
        response = RandomizedResponse(epsilon, run.graph.num_classes)
        with tuned_for(graph.nnz // 2):
            proba, self.tau_ = fit_perceptron(
                inputs_at,
                _answers(run, response, self.CORRECTED, device),
                hidden=self.hidden,
                epochs=self.epochs,
                batch_size=self.batch_size,
                learning_rate=self.learning_rate,
                tau=1.0 if self.residual else None,
                progress=run.progress,
            )
        return proba


def _answers(
    run: PrivateRun, response: RandomizedResponse, corrected: bool, device: torch.device
) -> NoisyLabels:
    """Labels of those who train and validate, by randomised response; of others there are none."""
    parts = [run.split.train, run.split.val]
    labels = np.full(run.graph.num_nodes, -1, np.int64)
    asked = np.concatenate(parts)
    if math.isinf(response.epsilon):
        # Labels are no secret: null records are left out.
        labels[asked] = run.graph.labels[asked]
        parts = [part[labels[part] >= 0] for part in parts]
    else:
        labels[asked] = run.randomize(
            "labels", response.epsilon, lambda rng: label_answers(run.graph.labels[asked], response, rng)
        )
    train, val, answers = (torch.from_numpy(part).to(device) for part in (*parts, labels))
    return NoisyLabels(train, val, answers, run.graph.num_classes, response if corrected else None)


def label_answers(labels: NDArray[np.int64], response: RandomizedResponse, rng: Random) -> NDArray[np.int64]:
    """Randomised response; a null record (-1) answers with any class, so that it looks like everybody."""
    return response.randomize(with_any_class(labels, response.num_classes or 0, rng), rng)


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
