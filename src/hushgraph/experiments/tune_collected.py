"""The search on a collection that is there: post-processing of its reports, and nobody is asked again."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from hushgraph.collection.collected import CollectedGraph
from hushgraph.experiments.hyperparameters import OPTIMIZER, STEPS
from hushgraph.experiments.tune import OTHER_FIRST_STEPS, PRIVATE, Grid
from hushgraph.local import LPGNN
from hushgraph.local.local_method import LocalMethod
from hushgraph.local.search import GridSearch, Trial

OnTrial = Callable[[str, int, int], None]
"""Is told the stage, how many trials of it are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What was searched: how often something was tried, and the best of it."""

    name: str
    trials: tuple[Trial, ...]
    model: LocalMethod

    @property
    def settings(self) -> dict[str, Any]:
        """The hyper-parameters of the best model."""
        return {name: getattr(self.model, name) for name in (*STEPS, *OPTIMIZER)}


def search_collected(
    grid: Grid, collected: CollectedGraph, *, device: str = "auto", on_trial: OnTrial = lambda *_: None
) -> list[Stage]:
    """The paper's two stages on one collection; the last one has the model that was found.

    Adam's settings first, then KProp's steps. What needs no smoothing gets none: labels without noise, and
    public stand-ins for features.
    """
    if len(grid.features) != 1:
        raise ValueError(f"features must be one kind for a collection, got {', '.join(grid.features)}")
    (kind,) = grid.features
    k_x, k_y = OTHER_FIRST_STEPS
    noisy_labels = any(math.isfinite(mechanism.epsilon) for mechanism in collected.campaign.labels)
    steps = {
        "k_x": grid.steps if kind == PRIVATE else (0,),
        "k_y": grid.steps if noisy_labels else (0,),
    }
    model: LocalMethod = LPGNN(
        grid.backbone,
        selection=grid.selection,  # type: ignore[arg-type]
        epochs=grid.epochs,
        features="collected" if kind == PRIVATE else kind,
        device=device,
        k_x=k_x if kind == PRIVATE else 0,
        k_y=k_y if noisy_labels else 0,
    )
    adam = dict(zip(OPTIMIZER, (grid.learning_rates, grid.weight_decays, grid.dropouts), strict=True))
    stages: list[Stage] = []
    for name, values in (("Adam's settings", adam), ("KProp's steps", steps)):
        done = itertools.count()
        tell = partial(_tell, on_trial, name, done)
        on_trial(name, next(done), math.prod(map(len, values.values())))
        found = GridSearch(model, values).fit(collected, progress=tell)
        model = found.best_model_
        stages.append(Stage(name, tuple(found.trials_), model))
    return stages


def _tell(on_trial: OnTrial, stage: str, done: itertools.count[int], _: Trial, total: int) -> None:
    on_trial(stage, next(done), total)
