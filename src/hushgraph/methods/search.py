"""Choosing hyper-parameters from noisy data."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushgraph.collected import CollectedGraph
from hushgraph.methods.lpgnn import LPGNN


@dataclass(frozen=True, slots=True)
class Trial:
    """One point of the grid and its validation loss on noisy labels."""

    params: dict[str, Any]
    val_loss: float


class GridSearch:
    """Fits a model at every point of a grid and keeps the one with the lowest validation loss.

    The loss is the forward-corrected one on noisy validation labels, at the epoch that the model's own
    rule selects: nothing that a server would not have.

    Args:
        model: what the grid's values are set on.
        grid: for each argument of the model the values to try, such as ``{"k_x": [2, 4, 8]}``.

    After :meth:`fit`: ``best_model_``, ``best_params_``, ``trials_``.
    """

    def __init__(self, model: LPGNN, grid: Mapping[str, Sequence[Any]]) -> None:
        self.model = model
        self.grid = grid

    def fit(
        self, collected: CollectedGraph, *, progress: Callable[[Trial, int], None] | None = None
    ) -> GridSearch:
        """Tries every point; ``progress(trial, total)`` is called after each."""
        unknown = set(self.grid) - set(self.model.get_params())
        if unknown:
            raise ValueError(f"grid names {sorted(unknown)}, which LPGNN does not have")
        empty = [name for name, values in self.grid.items() if len(values) == 0]
        if not self.grid or empty:
            raise ValueError(
                f"grid must name at least one value for each argument; empty: {empty or 'the grid'}"
            )
        if "selection" in self.grid or "loss" in self.grid:
            raise ValueError(
                "grid cannot vary 'loss' or 'selection': their validation losses are not comparable"
            )
        points = [
            dict(zip(self.grid, values, strict=True)) for values in itertools.product(*self.grid.values())
        ]
        self.trials_: list[Trial] = []
        lowest = math.inf
        for params in points:
            candidate = self.model.with_params(**params).fit(collected)
            self.trials_.append(Trial(params, candidate.val_loss_))
            if candidate.val_loss_ < lowest or len(self.trials_) == 1:
                lowest = candidate.val_loss_
                self.best_model_, self.best_params_ = candidate, params
            if progress is not None:
                progress(self.trials_[-1], len(points))
        return self
