"""The study ``curator``: a curator who holds the graph learns from it, and what is released is protected."""

from __future__ import annotations

import math
import time
from collections import ChainMap
from dataclasses import dataclass
from typing import get_args

from hushgraph import _check
from hushgraph.curator import CuratorMethod
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.studies.graph_alone import as_asked, with_people_alike
from hushgraph.experiments.studies.learned import settings_of
from hushgraph.experiments.studies.mechanisms import fields_of
from hushgraph.experiments.studies.noise import is_common, noise_for
from hushgraph.experiments.studies.revisions import revision_of
from hushgraph.experiments.studies.study import Configuration, Outcome, Progress, Study
from hushgraph.graph import Graph
from hushgraph.metrics import accuracy
from hushgraph.privacy import Guarantee
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.registry import ABLATIONS, CURATOR_METHODS, Entry
from hushgraph.sparse.runtime import threads
from hushgraph.split import Split, random_split

# A method by itself, or without one of its ideas.
METHODS = ChainMap[str, Entry](ABLATIONS, CURATOR_METHODS)  # type: ignore[arg-type]
# How NIP-GNN's budget is split: equally, or with less for the sums and more for the labels.
SCHEMES: dict[str, dict[str, float]] = {
    "equal": {"degrees": 1, "edges": 1, "aggregation": 1, "labels": 1},
    "less_for_sums": {"degrees": 1, "edges": 1, "aggregation": 0.5, "labels": 1.5},
}
TRAIN, VAL = 0.75, 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The fields of a cell. What is None is the method's own default."""

    dataset: str
    method: str = "nip-gnn"
    epsilon: float
    relation: str = "node-removal"
    max_degree: int | None = None
    hops: int | None = None
    scheme: str | None = None
    epochs: int | None = None

    def __post_init__(self) -> None:
        _check.choice(self.method, "method", METHODS)
        _check.keep(self, epsilon=_check.epsilon(self.epsilon, "epsilon"))
        _check.choice(self.relation, "relation", get_args(NeighboringRelation))
        self.model()

    @property
    def hides_features(self) -> bool:
        """Whether what is released about people's features is noisy."""
        return math.isfinite(self.epsilon) and self.relation != "edge"

    def model(self) -> CuratorMethod:
        """The unfitted model."""
        stated = {"max_degree": self.max_degree, "hops": self.hops, "epochs": self.epochs}
        stated = {name: value for name, value in stated.items() if value is not None}
        model: CuratorMethod = METHODS[self.method].make(self.epsilon, relation=self.relation, **stated)
        if self.scheme is not None:
            shares = SCHEMES[_check.choice(self.scheme, "scheme", SCHEMES)]
            used = {name: shares[name] for name in model.budget_}
            model.set_params(
                budget={name: self.epsilon * share / sum(used.values()) for name, share in used.items()}
            )
        model.check_params()
        return model


def configure(cell: Cell, hyperparameters: Hyperparameters) -> Configuration:
    """All that the cell's runs depend on."""
    settings = settings_of(cell.model()) | fields_of(cell, "epsilon")
    method = next(name for name, one in CURATOR_METHODS.items() if one.where == METHODS[cell.method].where)
    split = {"train": TRAIN, "val": VAL}
    known = {"study": "curator", "method": method, **revision_of(method)}
    return {**known, **split, **noise_for(cell.dataset), "model": settings}


def promise(graph: Graph, configuration: Configuration, seed: int) -> Guarantee:
    """What a run promises to the people of whom it releases something."""
    graph = as_asked(graph, configuration)
    return _model(configuration, seed).promise(graph, _split(graph, configuration, seed))


def measure(
    graph: Graph, configuration: Configuration, seed: int, device: str, progress: Progress
) -> Outcome:
    """Accuracy on test people, whose labels nothing else used."""
    graph = as_asked(graph, configuration)
    split = _split(graph, configuration, seed)
    model = _model(configuration, seed)
    if "device" in model.get_params():
        model.set_params(device=device)
    start = time.perf_counter()
    with threads(1):  # runs go side by side, each on its own core
        model.fit(graph, split, progress=progress, first_weights=seed, common_noise=is_common(configuration))
    seconds = time.perf_counter() - start
    tested = split.test[graph.labels[split.test] >= 0]
    return Outcome(accuracy(model, graph, tested), seconds, model.guarantee)


def _split(graph: Graph, configuration: Configuration, seed: int) -> Split:
    parts = {name: configuration[name] for name in ("train", "val")}
    return random_split(graph, **parts, seed=seed, everyone=True)


def _model(configuration: Configuration, seed: int) -> CuratorMethod:
    """The unfitted model."""
    settings = configuration["model"] | {"epsilon": float(configuration["model"]["epsilon"])}
    model: CuratorMethod = METHODS[configuration["method"]].make(**settings, random_state=seed)
    return model


def cost(graph: Graph, configuration: Configuration) -> float:
    """Multiply-adds of a run, roughly."""
    model = configuration["model"]
    width = model.get("buckets", graph.num_features)
    if configuration["method"] == "dpdgc":
        width += graph.num_nodes
    return float(graph.num_nodes * (width + 500) * model["hidden"] * model["epochs"])


def shared(configuration: Configuration) -> Configuration:
    """The split."""
    return {"train": configuration["train"], "val": configuration["val"]}


STUDY = Study(
    "curator", Cell, configure, measure, shared, promise, cost, revision=4, quantity="test accuracy (%)",
    scale=100.0, shares_reports=False, control=with_people_alike,
)  # fmt: skip
