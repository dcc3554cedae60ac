"""The study ``attacks``: a method learns from a part of a graph, and somebody attacks what it says of all."""

from __future__ import annotations

import json
import math
import time
from collections import ChainMap
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

import numpy as np

from hushgraph import _check
from hushgraph.attacks import Decisions, Victim
from hushgraph.attacks.questions import LABEL
from hushgraph.attacks.stage import Roles, Stage
from hushgraph.attacks.suite import WITH_TRAINING, Finding, Settings, findings
from hushgraph.attacks.victims import Attackable
from hushgraph.datasets.digest import derived_seed
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.studies.learned import settings_of
from hushgraph.experiments.studies.mechanisms import fields_of, in_range
from hushgraph.experiments.studies.noise import is_common, noise_for
from hushgraph.experiments.studies.revisions import revision_of
from hushgraph.experiments.studies.study import Configuration, Outcome, Progress, Study
from hushgraph.graph import Graph
from hushgraph.privacy import Guarantee
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.registry import ABLATIONS, CURATOR_METHODS, METHODS, UNPROTECTED, Entry
from hushgraph.sparse.runtime import threads

# Solitude asks for lists, and nothing here does.
LOCAL = {name: entry for name, entry in METHODS.items() if name != "solitude"}
VICTIMS = ChainMap[str, Entry](ABLATIONS, CURATOR_METHODS, LOCAL, UNPROTECTED)  # type: ignore[arg-type]
WANTED = Settings()
ALSO = {
    "auc": "AUC",
    "largest_auc": "at most",
    "tpr_at_1_percent": "found at 1 % false alarms",
    "largest_tpr_at_1_percent": "at most",
    "tpr_at_0.1_percent": "at 0.1 %",
    "largest_tpr_at_0.1_percent": "at most",
    "largest_accuracy": "right at most",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The fields of a cell. What is None is the method's own default."""

    dataset: str
    method: str
    epsilon: float = math.inf
    relation: str = "node-removal"
    attack: str = "tstf"
    attribute: str = LABEL
    epochs: int | None = None

    def __post_init__(self) -> None:
        _check.choice(self.method, "method", VICTIMS)
        _check.choice(self.attack, "attack", WITH_TRAINING)
        _check.choice(self.relation, "relation", get_args(NeighboringRelation))
        _check.keep(self, epsilon=_check.epsilon(self.epsilon, "epsilon"), attribute=str(self.attribute))
        if self.method in UNPROTECTED and math.isfinite(self.epsilon):
            raise ValueError(f"{self.method!r} protects nobody: leave epsilon out")
        self.model()

    def model(self) -> Attackable:
        """The unfitted model."""
        stated: dict[str, Any] = {} if self.epochs is None else {"epochs": self.epochs}
        if self.method in CURATOR_METHODS or self.method in ABLATIONS:
            stated |= {"epsilon": self.epsilon, "relation": self.relation}
        model: Attackable = VICTIMS[self.method].make(**stated)
        model.check_params()
        return model


def configure(cell: Cell, hyperparameters: Hyperparameters) -> Configuration:
    """All that the cell's runs depend on."""
    asked = {"attribute": cell.attribute} if cell.attack.startswith("attribute") else {}
    settings = settings_of(cell.model())
    if "epsilon" in settings:
        settings |= fields_of(cell, "epsilon")
    return {
        "study": "attacks", "method": cell.method, **revision_of(cell.method), **fields_of(cell, "epsilon"),
        **noise_for(cell.dataset), "model": settings, "attack": cell.attack, **asked,
    }  # fmt: skip


def shared(configuration: Configuration) -> Configuration:
    """The target."""
    return {name: value for name, value in configuration.items() if name not in ("attack", "attribute")}


def promise(graph: Graph, configuration: Configuration, seed: int) -> Guarantee:
    """What the target promises to those who are in it; the attacker's own models are for nobody to see."""
    rng = np.random.default_rng([_seed(graph, configuration, seed), 3])
    graph = _as_learned(graph, configuration)
    roles = Roles.drawn(graph, rng, WANTED.pairs)
    return _victim(configuration, "cpu").promise(roles.views)


def measure(
    graph: Graph, configuration: Configuration, seed: int, device: str, progress: Progress
) -> Outcome:
    """How often an attack is right, and what else is said of attacks."""
    start = time.perf_counter()
    with threads(1):  # runs go side by side, each on its own core
        stage = _stage(graph, json.dumps(shared(configuration)), seed, device)
        progress(0.5)
        settings = Settings(attribute=configuration.get("attribute", LABEL))
        own = _seed(graph, configuration, seed)
        found = list(findings(stage, [configuration["attack"]], own, settings))
    progress(1.0)
    if not found:
        raise ValueError(f"{configuration['attack']} has nothing to go by: {stage.title} does not show it")
    last = found[-1]
    return Outcome(
        last.measured.accuracy.value, time.perf_counter() - start, stage.guarantee, described(last)
    )


def described(finding: Finding) -> dict[str, Any]:
    """What is told of a finding beside its accuracy, as plain values."""
    measured, limit = finding.measured, finding.limit
    told: dict[str, Any] = {"advantage": measured.advantage.value, "bound": limit.why}
    if isinstance(measured, Decisions):
        told |= {
            "auc": measured.auc.value,
            "tpr_at_1_percent": measured.tpr_at(0.01).value,
            "tpr_at_0.1_percent": measured.tpr_at(0.001).value,
        }
        bounds = {
            "largest_accuracy": limit.accuracy,
            "largest_auc": limit.auc,
            "largest_tpr_at_1_percent": limit.tpr_at(0.01),
            "largest_tpr_at_0.1_percent": limit.tpr_at(0.001),
        }
        return told | (bounds if limit.applies else {})
    return told | {"most_common": measured.naive}


@lru_cache(maxsize=1)
def _stage(graph: Graph, words: str, seed: int, device: str) -> Stage:
    """The target, which every attack of a seed is tried on."""
    configuration = json.loads(words)
    rng = np.random.default_rng([_seed(graph, configuration, seed), 3])
    graph = _as_learned(graph, configuration)
    return Stage.set(_victim(configuration, device), Roles.drawn(graph, rng, WANTED.pairs), rng)


def _as_learned(graph: Graph, configuration: Configuration) -> Graph:
    """Devices are asked for features in [0, 1]."""
    return graph if "relation" in configuration["model"] else in_range(graph, None, None)


def _victim(configuration: Configuration, device: str) -> Victim:
    entry, settings = VICTIMS[configuration["method"]], dict(configuration["model"])
    if "epsilon" in settings:
        settings["epsilon"] = float(settings["epsilon"])
    model: Attackable = entry.make(**settings)
    if model.knows("device"):
        model.set_params(device=device)
    return Victim(entry.title, model, float(configuration["epsilon"]))


def _seed(graph: Graph, configuration: Configuration, seed: int) -> int:
    """On public graphs the targets of a seed have the same members, whatever the method."""
    if is_common(configuration):
        return seed
    return derived_seed(graph, "attacks", seed, shared(configuration))


def cost(graph: Graph, configuration: Configuration) -> float:
    """Multiply-adds of a run, roughly."""
    model = configuration["model"]
    fits = {"tstf": 2, "lira": 1 + WANTED.shadows}.get(configuration["attack"], 1)
    if "hidden" not in model:
        return 20_000.0 * fits * (graph.num_edges + 10 * graph.num_nodes)
    width = graph.num_features if "clip" in model else graph.num_edges / graph.num_nodes
    return float(fits * graph.num_nodes * (width + 500) * model["hidden"] * model["epochs"])


STUDY = Study(
    "attacks", Cell, configure, measure, shared, promise, cost, revision=2,
    quantity="attack accuracy (%)", scale=100.0, higher_is_better=False, also=ALSO,
)  # fmt: skip
