"""What studies of learned models share: a run fits a model to a collection and looks at it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hushgraph.collection.collected import CollectedGraph
from hushgraph.experiments.studies.study import Configuration, Outcome, Progress
from hushgraph.graph import Graph
from hushgraph.local.local_method import LocalMethod
from hushgraph.metrics import accuracy
from hushgraph.registry import METHODS
from hushgraph.split import Split

# The split and the collection of a seed, given the values that they depend on.
Collection = Callable[[Graph, tuple[tuple[str, Any], ...], int], tuple[Split, CollectedGraph]]
Measure = Callable[[Graph, Configuration, int, str, Progress], Outcome]


def settings_of(model: LocalMethod) -> dict[str, Any]:
    """What a run depends on; where and how fast it runs is no part of it, and its seed is the run's."""
    settings = model.get_params()
    for no_part_of_it in ("random_state", "device", "threads", "form"):
        del settings[no_part_of_it]
    return settings


def shared(configuration: Configuration) -> Configuration:
    """The split and the reports: the same for every model that is learned from them."""
    return {name: value for name, value in configuration.items() if name not in ("study", "method", "model")}


def measure_test(collection: Collection) -> Measure:
    """Accuracy on test people, whose labels nothing else used."""
    return _measure(collection, lambda model, graph, split: accuracy(model, graph, split.test))


def measure_validation(collection: Collection, value: str) -> Measure:
    """How a model does on the labels that validation people sent: all that a server can choose by."""
    return _measure(collection, lambda model, *_: float(getattr(model, value)))


def _measure(collection: Collection, value: Callable[[LocalMethod, Graph, Split], float]) -> Measure:
    def measure(
        graph: Graph, configuration: Configuration, seed: int, device: str, progress: Progress
    ) -> Outcome:
        split, collected = collection(graph, tuple(shared(configuration).items()), seed)
        start = time.perf_counter()
        method = METHODS[configuration.get("method", "lpgnn")]
        model = method.make(**configuration["model"], random_state=seed, device=device)
        model.fit(collected, progress=lambda epoch, epochs, _: progress(epoch / epochs))
        seconds = time.perf_counter() - start
        details = {
            "best_epoch": model.best_epoch_,
            "val_loss": model.val_loss_,
            "val_accuracy": model.val_accuracy_,
            "within_limit": model.within_limit_,
        }
        return Outcome(value(model, graph, split), seconds, model.guarantee, details)

    return measure
