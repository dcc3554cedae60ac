"""Choosing hyper-parameters from noisy data."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.collected import CollectedGraph
from hushgraph.local.local_method import LocalMethod
from hushgraph.privacy import Guarantee


@dataclass(frozen=True, slots=True)
class Trial:
    """One point of the grid, its validation loss on noisy labels, and whether its accuracies stay at Acc*."""

    params: dict[str, Any]
    val_loss: float
    within_limit: bool

    @property
    def rank(self) -> tuple[bool, float]:
        """Lower is better, see :func:`trial_rank`."""
        return trial_rank(self.within_limit, self.val_loss)


def trial_rank(within_limit: bool, loss: float) -> tuple[bool, float]:
    """By what trials are ordered, lower first: a model that knows the noise too well loses to any other.

    >>> sorted([trial_rank(False, 0.1), trial_rank(True, 2.0), trial_rank(True, 1.5)])
    [(False, 1.5), (False, 2.0), (True, 0.1)]
    """
    return not within_limit, loss


class GridSearch:
    """Fits a model at every point of a grid and keeps the one with the lowest validation loss.

    The loss is the forward-corrected one on noisy validation labels, at the epoch that the model's own
    rule selects: nothing that a server would not have.

    Args:
        model: what the grid's values are set on.
        grid: for each argument of the model the values to try, such as ``{"k_x": [2, 4, 8]}``.

    After :meth:`fit`: ``best_model_``, ``best_params_``, ``trials_``; it predicts with the best model.
    """

    def __init__(self, model: LocalMethod, grid: Mapping[str, Sequence[Any]]) -> None:
        self.model = model
        self.grid = grid

    def fit(
        self, collected: CollectedGraph, *, progress: Callable[[Trial, int], None] | None = None
    ) -> GridSearch:
        """Tries every point; ``progress(trial, total)`` is called after each."""
        if collected.val.size == 0:
            raise ValueError("no labelled person to validate on: a grid search needs val people")
        unknown = set(self.grid) - set(self.model.get_params())
        if unknown:
            raise ValueError(f"grid names {sorted(unknown)}, which {type(self.model).__name__} does not have")
        empty = [name for name, values in self.grid.items() if len(values) == 0]
        if not self.grid or empty:
            missing = empty or "the grid"
            raise ValueError(f"grid must name at least one value for each argument; empty: {missing}")
        for name in ("loss", "selection", "structure"):
            if name in self.grid:
                raise ValueError(f"grid cannot vary {name!r}: the validation losses would not be comparable")
        values = itertools.product(*self.grid.values())
        points = [dict(zip(self.grid, chosen, strict=True)) for chosen in values]
        self.trials_: list[Trial] = []
        for params in points:
            candidate = self.model.with_params(**params).fit(collected)
            trial = Trial(params, candidate.val_loss_, candidate.within_limit_)
            if all(trial.rank < earlier.rank for earlier in self.trials_):
                self.best_model_, self.best_params_ = candidate, params
            self.trials_.append(trial)
            if progress is not None:
                progress(trial, len(points))
        return self

    def predict_proba(self, collected: CollectedGraph | None = None) -> NDArray[np.float32]:
        """Those of the best model."""
        return self.best_model_.predict_proba(collected)

    def predict(self, collected: CollectedGraph | None = None) -> NDArray[np.int64]:
        """Those of the best model."""
        return self.best_model_.predict(collected)

    @property
    def guarantee(self) -> Guarantee:
        """What was protected in the collection; searching is post-processing too."""
        return self.best_model_.guarantee
