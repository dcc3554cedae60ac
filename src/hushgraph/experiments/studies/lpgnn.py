"""The study ``lpgnn``: a simulated collection, a model learned from it, its accuracy on test people.

LPGNN is the method unless a cell names another one, which is then learned from the same reports.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import partial
from typing import Any

from hushgraph import _check
from hushgraph.experiments.hyperparameters import OPTIMIZER, STEPS, Hyperparameters
from hushgraph.experiments.studies.learned import (
    TRAIN,
    VAL,
    control,
    cost_of_cascades,
    measure,
    promise,
    settings_of,
    shared,
)
from hushgraph.experiments.studies.mechanisms import fields_of, is_dense, mechanism_of
from hushgraph.experiments.studies.noise import noise_for
from hushgraph.experiments.studies.revisions import revision_of
from hushgraph.experiments.studies.study import Configuration, Study
from hushgraph.graph import Graph
from hushgraph.local.estimator import LocalEstimator
from hushgraph.local.public_features import KINDS as STAND_INS
from hushgraph.registry import BACKBONES, FEATURES, METHODS

# True features, and public stand-ins.
NOT_RANDOMIZED = ("raw", *STAND_INS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The fields of a cell. What is None is looked up in the hyper-parameters."""

    dataset: str
    method: str = "lpgnn"
    features: str = "multi-bit"
    epsilon_x: float = math.inf
    epsilon_y: float = math.inf
    delta: float | None = None
    low: float | None = None
    high: float | None = None
    backbone: str = "sage"
    loss: str = "drop"
    selection: str = "paper"
    k_x: int | None = None
    k_y: int | None = None
    learning_rate: float | None = None
    weight_decay: float | None = None
    dropout: float | None = None
    floor: float = 1e-20
    epochs: int = 500
    hidden: int = 16

    def __post_init__(self) -> None:
        _check.choice(self.method, "method", METHODS)
        _check.choice(self.features, "features", (*FEATURES, *NOT_RANDOMIZED))
        _check.choice(self.backbone, "backbone", BACKBONES)
        for name in ("epsilon_x", "epsilon_y"):
            _check.keep(self, **{name: _check.epsilon(getattr(self, name), name)})
        if self.features in FEATURES:
            mechanism_of(dataclasses.asdict(self))
        elif math.isfinite(self.epsilon_x) or (self.delta, self.low, self.high) != (None, None, None):
            raise ValueError(
                f"epsilon_x, delta, low and high are for mechanisms, and {self.features!r} is none:"
                " leave it out"
            )
        self.model()

    @property
    def hides_features(self) -> bool:
        """Whether people send features through noise."""
        return self.features in FEATURES and math.isfinite(self.epsilon_x)

    @property
    def searched(self) -> tuple[str, ...]:
        """The hyper-parameters that its method has and the cell does not state."""
        kind = METHODS[self.method].load()
        return tuple(
            name for name in (*STEPS, *OPTIMIZER) if kind.knows(name) and getattr(self, name) is None
        )

    def model(self, **found: Any) -> LocalEstimator:
        """The unfitted model, with what the cell states before what was found."""
        stated = {name: getattr(self, name) for name in (*STEPS, *OPTIMIZER)}
        settings = {
            name: getattr(self, name)
            for name in ("backbone", "loss", "selection", "floor", "epochs", "hidden")
        }
        settings["features"] = self.features if self.features in STAND_INS else "collected"
        settings |= found | {name: value for name, value in stated.items() if value is not None}
        method = METHODS[self.method]
        kind = method.load()
        model: LocalEstimator = method.make(
            **{name: value for name, value in settings.items() if kind.knows(name)}
        )
        model.check_params()
        return model


def configure(cell: Cell, hyperparameters: Hyperparameters) -> Configuration:
    """All that the cell's runs depend on."""
    found: dict[str, Any] = {}
    if cell.searched:
        kind = cell.features if cell.features in STAND_INS else "private"
        found = hyperparameters.look_up(cell.dataset, kind, cell.epsilon_x, cell.epsilon_y)
    settings = settings_of(cell.model(**found))
    settings.pop("structure", None)  # the graph is public
    asked = fields_of(cell, "features", "epsilon_x", "epsilon_y", "delta", "low", "high")
    asked |= noise_for(cell.dataset)
    if cell.method != "lpgnn":
        asked |= {"method": cell.method, **revision_of(cell.method)}
    if cell.features in STAND_INS and not METHODS[cell.method].load().knows("features"):
        asked["features"] = STAND_INS[0]  # without features all stand-ins are the same to it
    return {"study": "lpgnn", **asked, "train": TRAIN, "val": VAL, "model": settings}


def cost(graph: Graph, configuration: Configuration) -> float:
    """Multiply-adds of a run, roughly."""
    model = configuration["model"]
    if "epochs" not in model:
        return cost_of_cascades(graph.num_nodes, graph.num_edges)
    features = configuration["features"]
    dense = features == "random" or (features in FEATURES and is_dense(features))
    first = graph.num_nodes * graph.num_features / 2 if dense else graph.num_edges * 2 * (model["k_x"] + 1)
    attention = 4 if model["backbone"] == "gat" else 1
    rest = attention * (2 * graph.num_edges + 8 * graph.num_nodes) + 50_000
    return float(model["epochs"] * model["hidden"] * (first + rest))


STUDY = Study(
    "lpgnn", Cell, configure, measure, shared, promise, cost, revision=3, quantity="test accuracy (%)",
    scale=100.0, control=control,
)  # fmt: skip
VALIDATION = dataclasses.replace(
    STUDY,
    name="lpgnn_validation",
    configure=lambda cell, found: configure(cell, found) | {"study": "lpgnn_validation"},
    measure=partial(measure, by="val_loss_"),
    quantity="validation loss on noisy labels",
    scale=1.0,
    higher_is_better=False,
)
