"""Repeated simulations: split, collect, learn and assess, each from its own seed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.simulate import collect
from hushgraph.graph import Graph
from hushgraph.local.local_method import LocalMethod
from hushgraph.local.training import OnEpoch
from hushgraph.mechanisms import AdjacencyRandomizedResponse, RandomizedResponse
from hushgraph.mechanisms.protocol import FeatureMechanism
from hushgraph.metrics import accuracy
from hushgraph.privacy import Ledger
from hushgraph.split import random_split


@dataclass(frozen=True, slots=True)
class Setting:
    """What is run: the mechanisms of the devices and the unfitted model of the server."""

    features: FeatureMechanism | None
    labels: RandomizedResponse
    model: LocalMethod
    train: float = 0.5
    val: float = 0.25
    edges: AdjacencyRandomizedResponse | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Repeat:
    """What came of one seed."""

    seed: int
    accuracy: float
    seconds: float
    model: LocalMethod
    collected: CollectedGraph


def repeat(
    graph: Graph,
    setting: Setting,
    seeds: Sequence[int],
    *,
    seeded_noise: bool = True,
    on_epoch: OnEpoch | None = None,
    ledger: Ledger | None = None,
    campaign: str = "campaign",
) -> Iterator[Repeat]:
    """Runs a setting once for each seed: of split and weights and, if ``seeded_noise``, of the noise.

    ``on_epoch(epoch, epochs, score)`` is called after every epoch. ``accuracy`` is on test people, whose
    labels were not collected; ``seconds`` is the time of learning. Each collection is charged to
    ``ledger`` under the name of the ``campaign``.
    """
    for seed in seeds:
        split = random_split(graph, train=setting.train, val=setting.val, seed=seed)
        collected = collect(
            graph,
            split,
            features=setting.features,
            labels=setting.labels,
            edges=setting.edges,
            rng=np.random.default_rng([seed, 1]) if seeded_noise else None,
            ledger=ledger,
            campaign=campaign,
        )
        start = time.perf_counter()
        model = setting.model.with_params(random_state=seed)
        model.fit(collected, progress=on_epoch)
        seconds = time.perf_counter() - start
        yield Repeat(seed, accuracy(model, graph, split.test), seconds, model, collected)
