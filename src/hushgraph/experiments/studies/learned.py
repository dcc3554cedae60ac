"""What studies of learned models share: a run fits a model to a collection and looks at it."""

from __future__ import annotations

import time
from functools import cache, lru_cache
from typing import Any

import numpy as np

from hushgraph._settings import Settings
from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.simulate import campaign_for, collect
from hushgraph.experiments.studies.graph_alone import as_asked, with_people_alike
from hushgraph.experiments.studies.idle_features import Measured, Remembered
from hushgraph.experiments.studies.mechanisms import in_range, mechanism_of
from hushgraph.experiments.studies.noise import is_common
from hushgraph.experiments.studies.study import Configuration, Outcome, Progress
from hushgraph.graph import Graph
from hushgraph.local import Cascade
from hushgraph.local.public_features import KINDS as STAND_INS
from hushgraph.mechanisms import AdjacencyRandomizedResponse, RandomizedResponse
from hushgraph.metrics import accuracy
from hushgraph.privacy import Guarantee
from hushgraph.registry import METHODS
from hushgraph.repeats import noise_of
from hushgraph.sparse.runtime import threads
from hushgraph.split import Split, random_split

TRAIN, VAL = 0.5, 0.25


def settings_of(model: Settings) -> dict[str, Any]:
    """What a run depends on; where and how fast it runs is no part of it, and its seed is the run's."""
    no_part_of_it = ("random_state", "device", "threads", "form")
    return {name: value for name, value in model.get_params().items() if name not in no_part_of_it}


def shared(configuration: Configuration) -> Configuration:
    """The split and the reports: the same for every model that is learned from them.

    Whoever learns from a stand-in asks for no features, whichever stand-in it is.
    """
    no_part_of_it = ("study", "method", "method_revision", "model")
    asked = {name: value for name, value in configuration.items() if name not in no_part_of_it}
    return asked | {"features": None} if asked["features"] in STAND_INS else asked


def control(configuration: Configuration) -> Configuration:
    """The same, but features tell nothing: reports of people who are alike, or, without a network, none."""
    if "epochs" in configuration["model"]:
        return with_people_alike(configuration)
    of_a_mechanism = {name: None for name in ("delta", "low", "high") if name in configuration}
    return configuration | of_a_mechanism | {"features": STAND_INS[0], "epsilon_x": "inf"}


def cost_of_cascades(people: int, pairs: float) -> float:
    """Multiply-adds of a run of cascades, roughly; pairs are friendships, or names in private lists."""
    return 20_000 * (pairs + 10 * people)


def promise(graph: Graph, configuration: Configuration, _seed: int) -> Guarantee:
    """What a run promises to the people whom it asks."""
    asked = shared(configuration)
    graph = in_range(as_asked(graph, asked), asked.get("low"), asked.get("high"))
    return campaign_for(graph, **_mechanisms(asked)).guarantee.from_a_seed()


def measure(
    graph: Graph, configuration: Configuration, seed: int, device: str, progress: Progress, by: str = ""
) -> Outcome:
    """Accuracy on test people, whose labels nothing else used.

    Or how the model does ``by`` the labels that validation people sent: all that a server can choose by.
    """
    split, collected = collection(graph, tuple(shared(configuration).items()), seed)
    method = METHODS[configuration.get("method", "lpgnn")]
    model = method.make(**configuration["model"], random_state=seed, device=device)

    def fit(collected: CollectedGraph) -> Measured:
        start = time.perf_counter()
        model.fit(collected, progress=lambda epoch, epochs, _: progress(epoch / epochs))
        seconds = time.perf_counter() - start
        stated = ("best_epoch", "val_loss", "val_accuracy", "within_limit")
        trained = {name: getattr(model, f"{name}_") for name in stated if hasattr(model, f"{name}_")}
        value = float(getattr(model, by)) if by else accuracy(model, graph, split.test)
        return value, seconds, trained or model.details()

    with threads(1):  # runs go side by side, each on its own core
        if isinstance(model, Cascade):
            found = remembered().measure(model, collected, graph.labels[split.test], fit)
        else:
            found = fit(collected)
    value, seconds, details = found
    return Outcome(value, seconds, collected.guarantee, details)


@cache
def remembered() -> Remembered:
    """What this worker's fits to labels alone came to."""
    return Remembered()


@lru_cache(maxsize=1)
def collection(graph: Graph, values: tuple[tuple[str, Any], ...], seed: int) -> tuple[Split, CollectedGraph]:
    """The split and the collection of a seed, given the values that they depend on."""
    asked = dict(values)
    graph = in_range(as_asked(graph, asked), asked.get("low"), asked.get("high"))
    split = random_split(graph, train=TRAIN, val=VAL, seed=seed)
    if "label_rate" in asked:
        # Who validates and who is tested does not depend on it, and fewer labels are among the more.
        order = np.random.default_rng([seed, 2]).permutation(split.train)
        labelled = order[: max(1, round(asked["label_rate"] / TRAIN * order.size))]
        split = Split(np.sort(labelled), split.val, split.test)
    mechanisms = _mechanisms(asked)
    rng = noise_of(seed, graph, campaign_for(graph, **mechanisms), split, common=is_common(asked))
    lists = mechanisms.pop("lists")
    return split, collect(graph, split, **mechanisms, edges=lists, rng=rng)


def _mechanisms(asked: Configuration) -> dict[str, Any]:
    """What devices do to features, labels and lists; None for what is not asked."""
    as_it_is = {"features": "multi-bit"} if asked["features"] == "raw" else {}
    return {
        "features": mechanism_of(asked | as_it_is) if asked["features"] else None,
        "labels": RandomizedResponse(float(asked["epsilon_y"])),
        "lists": AdjacencyRandomizedResponse(float(asked["epsilon_a"])) if "epsilon_a" in asked else None,
    }
