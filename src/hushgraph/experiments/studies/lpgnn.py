"""The study ``lpgnn``: a simulated collection, a model learned from it, its accuracy on test people."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

from hushgraph import _check
from hushgraph.assess import accuracy
from hushgraph.collected import CollectedGraph
from hushgraph.experiments.hyperparameters import OPTIMIZER, STEPS, Hyperparameters
from hushgraph.experiments.repeats import Setting, draw
from hushgraph.experiments.studies.mechanisms import (
    DENSE,
    MECHANISMS,
    check_mechanism,
    in_range,
    make_mechanism,
    plain,
)
from hushgraph.experiments.studies.study import Configuration, Outcome, Progress, Study
from hushgraph.graph import Graph
from hushgraph.mechanisms import RandomizedResponse
from hushgraph.methods import LPGNN
from hushgraph.methods.objective import Loss
from hushgraph.methods.selection import Selection
from hushgraph.nn import BACKBONES
from hushgraph.split import Split

# Public stand-ins as the papers call them, and as LPGNN does.
STAND_INS = {"ones": "ones", "one_hot_degree": "degree", "random": "random"}
NOT_RANDOMISED = ("raw", *STAND_INS)
FEATURES = (*MECHANISMS, *NOT_RANDOMISED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The words of a cell. What is None is looked up in the hyper-parameters."""

    dataset: str
    features: str = "multi_bit"
    eps_x: float = math.inf
    eps_y: float = math.inf
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
        _check.choice(self.features, "features", FEATURES)
        _check.choice(self.backbone, "backbone", BACKBONES)
        _check.choice(self.loss, "loss", get_args(Loss))
        _check.choice(self.selection, "selection", get_args(Selection))
        for name in ("eps_x", "eps_y"):
            _check.keep(self, **{name: _check.epsilon(getattr(self, name), name)})
        if self.features in MECHANISMS:
            check_mechanism(self.features, self.eps_x, self.delta, self.low, self.high)
        elif math.isfinite(self.eps_x) or (self.delta, self.low, self.high) != (None, None, None):
            raise ValueError(
                f"eps_x, delta, low and high are for mechanisms, and {self.features!r} is none: leave it out"
            )
        self.model()

    def model(self, **found: Any) -> LPGNN:
        """The unfitted model, with what the cell states before what was found."""
        stated = {name: getattr(self, name) for name in (*STEPS, *OPTIMIZER)}
        model = LPGNN(
            self.backbone,
            loss=self.loss,  # type: ignore[arg-type]
            selection=self.selection,  # type: ignore[arg-type]
            features=STAND_INS.get(self.features, "collected"),
            floor=self.floor,
            epochs=self.epochs,
            hidden=self.hidden,
            **found | {name: value for name, value in stated.items() if value is not None},
        )
        model.check_params()
        return model


def configure(cell: Cell, hyperparameters: Hyperparameters) -> Configuration:
    """All that the cell's runs depend on."""
    stated = all(getattr(cell, name) is not None for name in (*STEPS, *OPTIMIZER))
    kind = cell.features if cell.features in STAND_INS else "private"
    found = {} if stated else hyperparameters.look_up(cell.dataset, kind, cell.eps_x, cell.eps_y)
    params = cell.model(**found).get_params()
    for no_part_of_it in ("random_state", "device", "threads", "form", "structure"):
        del params[no_part_of_it]
    return {
        "study": "lpgnn",
        "features": cell.features,
        "eps_x": plain(cell.eps_x),
        "eps_y": plain(cell.eps_y),
        "delta": cell.delta,
        "low": cell.low,
        "high": cell.high,
        "train": 0.5,
        "val": 0.25,
        "model": params,
    }


def measure(
    graph: Graph, configuration: Configuration, seed: int, device: str, progress: Progress
) -> Outcome:
    """Accuracy on test people, whose labels nothing else used."""
    split, model, seconds = _learned(graph, configuration, seed, device, progress)
    return Outcome(accuracy(model, graph, split.test), seconds, model.guarantee, _described(model))


def measure_validation(
    graph: Graph, configuration: Configuration, seed: int, device: str, progress: Progress
) -> Outcome:
    """The validation loss on noisy labels: all that a server can choose by."""
    _, model, seconds = _learned(graph, configuration, seed, device, progress)
    return Outcome(model.val_loss_, seconds, model.guarantee, _described(model))


def shared(configuration: Configuration) -> Configuration:
    """The split and the reports: the same for every model that is learned from them."""
    return {name: value for name, value in configuration.items() if name not in ("study", "model")}


def cost(graph: Graph, configuration: Configuration) -> float:
    """Multiply-adds of a run, roughly."""
    model = configuration["model"]
    dense = configuration["features"] in (*DENSE, "random")
    first = graph.num_nodes * graph.num_features / 2 if dense else graph.num_edges * 2 * (model["k_x"] + 1)
    attention = 4 if model["backbone"] == "gat" else 1
    rest = attention * (2 * graph.num_edges + 8 * graph.num_nodes) + 50_000
    return float(model["epochs"] * model["hidden"] * (first + rest))


def _learned(
    graph: Graph, configuration: Configuration, seed: int, device: str, progress: Progress
) -> tuple[Split, LPGNN, float]:
    values = shared(configuration)
    split, collected = _collection(graph, tuple(values.items()), seed)
    start = time.perf_counter()
    model = LPGNN(**configuration["model"], random_state=seed, device=device)
    model.fit(collected, progress=lambda epoch, epochs, _: progress(epoch / epochs))
    return split, model, time.perf_counter() - start


@lru_cache(maxsize=1)
def _collection(graph: Graph, values: tuple[tuple[str, Any], ...], seed: int) -> tuple[Split, CollectedGraph]:
    asked = dict(values)
    eps_x, low = float(asked["eps_x"]), asked["low"]
    mechanism = None
    if asked["features"] in (*MECHANISMS, "raw"):
        kind = "multi_bit" if asked["features"] == "raw" else asked["features"]
        mechanism = make_mechanism(kind, eps_x, asked["delta"], low, asked["high"])
    setting = Setting(
        mechanism, RandomizedResponse(float(asked["eps_y"])), LPGNN(), asked["train"], asked["val"]
    )
    return draw(in_range(graph, low, asked["high"]), setting, seed)


def _described(model: LPGNN) -> dict[str, Any]:
    return {
        "best_epoch": model.best_epoch_,
        "val_loss": model.val_loss_,
        "within_limit": model.within_limit_,
    }


STUDY = Study("lpgnn", Cell, configure, measure, shared, cost, quantity="test accuracy (%)", scale=100.0)
VALIDATION = Study(
    "lpgnn_validation",
    Cell,
    lambda cell, hyperparameters: configure(cell, hyperparameters) | {"study": "lpgnn_validation"},
    measure_validation,
    shared,
    cost,
    quantity="validation loss on noisy labels",
    higher_is_better=False,
)
