"""Solitude as it is usually written down: a dense n × n matrix A^c, every entry of it a parameter.

The baseline of benchmarks/calibration.py: what the sparse formulation is compared with, in speed, memory and
accuracy, and the referee of which entries outside the collected lists the dense problem would open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from hushgraph import CollectedGraph, Solitude
from hushgraph.denoise import collected_adjacency, denoised_features


def matrix(collected: CollectedGraph, weights: Tensor | None = None) -> Tensor:
    """The lists as a matrix: row v has those whom v names."""
    n = collected.num_nodes
    dense = torch.zeros(n, n)
    owner, named = torch.from_numpy(collected.edges.astype("int64"))
    dense[owner, named] = 1.0 if weights is None else weights
    return dense


def gcn(a: Tensor) -> Tensor:
    scale = torch.where(a.sum(1) > 0, a.sum(1), 1.0).rsqrt()
    return scale[:, None] * a * scale


@dataclass
class SAGE:
    """Two GraphSAGE layers on a dense matrix, with weights in hushgraph's layout."""

    weights: list[Tensor]
    dropout: float = 0.0

    def __call__(self, features: Tensor, a: Tensor, training: bool = False) -> Tensor:
        mean = a / a.sum(1, keepdim=True).clamp(min=1e-12)
        for layer in (0, 1):
            neighbours, own = (features @ self.weights[2 * layer]).chunk(2, dim=1)
            features = mean @ neighbours + own + self.weights[2 * layer + 1]
            if layer == 0:
                features = functional.dropout(functional.selu(features), self.dropout, training)
        return features


class Problem:
    """The loss of eq. 13 for a collection, and what it is computed from."""

    def __init__(self, collected: CollectedGraph, k_x: int, k_y: int) -> None:
        adjacency = collected_adjacency(collected, "directed")
        assert collected.features is not None
        self.collected = collected
        self.features = denoised_features(collected.features, adjacency, k_x).dense()
        self.noisy = matrix(collected)
        self.smoother = torch.linalg.matrix_power(gcn(self.noisy), k_y)
        self.train = torch.from_numpy(collected.train)
        self.labels = torch.from_numpy(collected.labels)

    def loss(self, logits: Tensor) -> Tensor:
        smoothed = (self.smoother @ logits.softmax(1))[self.train]
        shares = smoothed / smoothed.sum(1, keepdim=True).clamp(min=1e-30)
        return functional.nll_loss((shares + 1e-20).log(), self.labels[self.train])


def opening_share(model: Solitude, collected: CollectedGraph, penalties: list[float]) -> list[float]:
    """The share of entries outside the lists at which minus the slope of the loss exceeds each penalty."""
    problem = Problem(collected, model.k_x, model.k_y)
    edges, values = model.calibrated_
    calibrated = torch.zeros_like(problem.noisy)
    calibrated[torch.from_numpy(edges[1]), torch.from_numpy(edges[0])] = torch.from_numpy(values)
    network = SAGE([weight.detach() for weight in model.backbone_.state_dict().values()])
    logits = network(problem.features, calibrated.requires_grad_())
    (slope,) = torch.autograd.grad(problem.loss(logits), calibrated)
    outside = problem.noisy == 0
    outside.fill_diagonal_(False)
    return [float((slope[outside] < -penalty).double().mean()) for penalty in penalties]


def fit(
    collected: CollectedGraph, settings: Solitude, on_epoch: Callable[[int], None] = lambda _: None
) -> tuple[Tensor, int, float]:
    """Alternating Adam steps on weights and on all n² entries: predictions of the epoch that validates best.

    The epoch is chosen by the same rule as in hushgraph. Also: how many entries outside the lists are open at
    the end, and their mean weight.
    """
    torch.manual_seed(settings.random_state)
    problem = Problem(collected, settings.k_x, settings.k_y)
    template = Solitude(**settings.get_params() | {"epochs": 1, "selection": "last"}).fit(collected)
    torch.manual_seed(settings.random_state)
    start = template.backbone_.state_dict().values()
    # As GraphSAGE starts here: everything within one over the root of the number of inputs.
    bounds = [weight.shape[0] ** -0.5 for weight in start if weight.ndim == 2 for _ in range(2)]
    weights = [
        torch.empty_like(value).uniform_(-bound, bound).requires_grad_()
        for value, bound in zip(start, bounds, strict=True)
    ]
    network = SAGE(weights, settings.dropout)
    calibrated = problem.noisy.clone().requires_grad_()
    on_weights = torch.optim.Adam(weights, settings.learning_rate, weight_decay=settings.weight_decay)
    on_graph = torch.optim.Adam([calibrated], settings.learning_rate)
    best = {"loss": float("inf"), "val": 0.0, "train": 0.0}
    predictions = torch.zeros(collected.num_nodes, dtype=torch.long)
    val = torch.from_numpy(collected.val)
    for epoch in range(1, settings.epochs + 1):
        on_weights.zero_grad()
        logits = network(problem.features, calibrated.detach(), training=True)
        train_accuracy = _accuracy(logits, problem.labels, problem.train)
        problem.loss(logits).backward()  # type: ignore[no-untyped-call]
        on_weights.step()
        (slope,) = torch.autograd.grad(
            problem.loss(network(problem.features, calibrated, training=True)), calibrated
        )
        with torch.no_grad():
            slope += 2 * settings.lambda_1 * (calibrated - problem.noisy)
            slope += settings.lambda_2
            calibrated.grad = slope
            on_graph.step()
            calibrated.clamp_(0, 1).fill_diagonal_(0)
            logits = network(problem.features, calibrated)
            loss = float(functional.cross_entropy(logits[val], problem.labels[val]))
            accuracy = _accuracy(logits, problem.labels, val)
        if loss < best["loss"] and accuracy > best["val"] and train_accuracy > best["train"]:
            best = {"loss": loss, "val": accuracy, "train": train_accuracy}
            predictions = logits.argmax(1)
        on_epoch(epoch)
    opened = calibrated.detach()[problem.noisy == 0]
    count = int((opened > 0).sum())
    return predictions, count, float(opened.sum()) / max(1, count)


def _accuracy(logits: Tensor, labels: Tensor, people: Tensor) -> float:
    return float((logits[people].argmax(1) == labels[people]).float().mean())
