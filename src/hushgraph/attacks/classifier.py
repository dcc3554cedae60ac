"""The small network that supervised attacks learn with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from hushgraph.local.adam import Adam
from hushgraph.sparse.runtime import threads

HIDDEN, EPOCHS, LEARNING_RATE, WEIGHT_DECAY = 32, 200, 0.01, 1e-2
# Rows whose answers are computed at a time.
BLOCK = 1 << 16

Classifier = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Probabilities (n, kinds) of rows (n, d)."""


def learned(
    rows: NDArray[np.float64],
    kinds_of: NDArray[np.int64],
    kinds: int,
    rng: np.random.Generator,
    *,
    balanced: bool = False,
) -> Classifier:
    """A perceptron with one hidden layer, fitted to rows by Adam, all at once.

    Args:
        rows: their columns are centred and scaled.
        balanced: every kind counts as much as any other, however many rows it has.
    """
    center, scale = rows.mean(0), rows.std(0)
    scale[scale < 1e-9] = 1.0

    def prepared(given: NDArray[np.float64]) -> torch.Tensor:
        return torch.from_numpy(np.clip((given - center) / scale, -10, 10).astype(np.float32))

    counts = np.bincount(kinds_of, minlength=kinds)
    weights = len(rows) / (kinds * np.maximum(counts, 1)) if balanced else np.ones(kinds)
    with torch.random.fork_rng(devices=[]), threads(1):
        torch.manual_seed(int(rng.integers(2**31)))
        network = nn.Sequential(nn.Linear(rows.shape[1], HIDDEN), nn.SELU(), nn.Linear(HIDDEN, kinds))
        inputs, labels = prepared(rows), torch.from_numpy(kinds_of)
        balance = torch.from_numpy(weights.astype(np.float32))
        optimizer = Adam(network.parameters(), LEARNING_RATE, WEIGHT_DECAY)
        for _ in range(EPOCHS):
            loss = functional.cross_entropy(network(inputs), labels, weight=balance)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()

    @torch.no_grad()
    def answer(given: NDArray[np.float64]) -> NDArray[np.float64]:
        parts = [
            network(prepared(given[start : start + BLOCK])).softmax(1)
            for start in range(0, len(given), BLOCK)
        ]
        shares: NDArray[np.float64] = torch.cat(parts).numpy().astype(np.float64)
        return shares

    return answer
