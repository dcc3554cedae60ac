"""The study ``solitude``: neighbour lists are private too, and methods differ in what they make of them."""

from __future__ import annotations

import dataclasses
import math
from collections import ChainMap
from dataclasses import dataclass
from functools import partial
from typing import Any

from hushgraph import _check, registry
from hushgraph.experiments.hyperparameters import LAMBDAS, LISTS, OPTIMIZER, STEPS, Hyperparameters, Key
from hushgraph.experiments.studies.learned import (
    TRAIN,
    control,
    cost_of_cascades,
    measure,
    promise,
    settings_of,
    shared,
)
from hushgraph.experiments.studies.mechanisms import fields_of, mechanism_of
from hushgraph.experiments.studies.noise import noise_for
from hushgraph.experiments.studies.revisions import revision_of
from hushgraph.experiments.studies.study import Configuration, Study
from hushgraph.graph import Graph
from hushgraph.local import Solitude
from hushgraph.local.estimator import LocalEstimator
from hushgraph.mechanisms import AdjacencyRandomizedResponse

# What the paper compares, and any other method.
METHODS = ChainMap[str, registry.Entry](registry.LIST_METHODS, registry.METHODS)  # type: ignore[arg-type]
# Methods that are run with the hyper-parameters that were found for another one.
SEARCHED_AS = {
    "smoothing": "solitude", "solitude-proximal": "solitude",
    "either": "posterior", "both": "posterior", "degrees": "posterior", "blocks": "posterior",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The fields of a cell. What is None is looked up in the hyper-parameters."""

    dataset: str
    method: str = "solitude"
    features: str = "multi-bit"
    epsilon_x: float
    epsilon_a: float
    epsilon_y: float = math.inf
    label_rate: float = TRAIN
    backbone: str = "sage"
    selection: str = "reference"
    k_x: int | None = None
    k_y: int | None = None
    lambda_1: float | None = None
    lambda_2: float | None = None
    learning_rate: float | None = None
    weight_decay: float | None = None
    dropout: float | None = None
    epochs: int = 500
    hidden: int = 16

    def __post_init__(self) -> None:
        _check.choice(self.method, "method", METHODS)
        for name in ("epsilon_x", "epsilon_a", "epsilon_y"):
            _check.keep(self, **{name: _check.epsilon(getattr(self, name), name)})
        mechanism_of(dataclasses.asdict(self))
        if not 0 < self.label_rate <= TRAIN:
            raise ValueError(f"label_rate must lie in (0, {TRAIN}], got {self.label_rate!r}")
        unused = [
            name for name in (*STEPS, *LAMBDAS) if name not in self.wanted and getattr(self, name) is not None
        ]
        if unused:
            raise ValueError(f"the method {self.method!r} has no {' or '.join(unused)}")
        self.model()

    @property
    def hides_features(self) -> bool:
        """Whether people send features through noise."""
        return math.isfinite(self.epsilon_x)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The hyper-parameters that its method has."""
        method = METHODS[self.method]
        names = (*OPTIMIZER, *STEPS, *(LAMBDAS if method.load() is Solitude else ()))
        kind = method.load()
        return tuple(name for name in names if kind.knows(name) and name not in method.settings)

    @property
    def searched_as(self) -> Key:
        """What its hyper-parameters are found by."""
        method = SEARCHED_AS.get(self.method, self.method)
        return tuple(method if name == "method" else getattr(self, name) for name in LISTS)

    def model(self, **found: Any) -> LocalEstimator:
        """The unfitted model, with what the cell states before what was found."""
        stated = {name: getattr(self, name) for name in self.wanted if getattr(self, name) is not None}
        kind = METHODS[self.method].load()
        of_cell = ("backbone", "selection", "epochs", "hidden")
        model: LocalEstimator = METHODS[self.method].make(
            **{name: getattr(self, name) for name in of_cell if kind.knows(name)},
            **{name: found[name] for name in self.wanted if name in found} | stated,
        )
        model.check_params()
        return model


def configure(cell: Cell, hyperparameters: Hyperparameters) -> Configuration:
    """All that the cell's runs depend on."""
    found: dict[str, Any] = {}
    if any(getattr(cell, name) is None for name in cell.wanted):
        found = hyperparameters.look_up_lists(cell.searched_as)
    kind = METHODS[cell.method].load()
    method = next(name for name, one in registry.METHODS.items() if one.load() is kind)
    asked = fields_of(cell, "features", "epsilon_x", "epsilon_a", "epsilon_y", "label_rate")
    asked |= noise_for(cell.dataset)
    known = {"study": "solitude", "method": method, **revision_of(method)}
    return known | asked | {"model": settings_of(cell.model(**found))}


def cost(graph: Graph, configuration: Configuration) -> float:
    """Multiply-adds of a run, roughly."""
    model = configuration["model"]
    noise = AdjacencyRandomizedResponse(float(configuration["epsilon_a"]))
    entries = graph.num_nodes * (graph.num_nodes - 1)
    names = noise.expected_names(2 * graph.num_edges, entries)
    if "epochs" not in model:
        return cost_of_cascades(graph.num_nodes, names)
    if model["structure"] not in ("directed", "either"):
        names = 2 * graph.num_edges + entries * noise.flip_probability**2
    passes = 3 if configuration["method"] == "solitude" else 1
    steps = names * (model["k_x"] + 2) + 8 * graph.num_nodes
    return float(model["epochs"] * model["hidden"] * passes * steps)


STUDY = Study(
    "solitude", Cell, configure, measure, shared, promise, cost, revision=3, quantity="test accuracy (%)",
    scale=100.0, control=control,
)  # fmt: skip
VALIDATION = dataclasses.replace(
    STUDY,
    name="solitude_validation",
    configure=lambda cell, found: configure(cell, found) | {"study": "solitude_validation"},
    measure=partial(measure, by="val_accuracy_"),
    quantity="accuracy on validation labels (%)",
)
