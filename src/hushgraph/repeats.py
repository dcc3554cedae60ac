"""Repeated simulations: split, collect, learn and assess, each from its own seed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from hushgraph.collection.campaign import Campaign
from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.simulate import campaign_for, collect
from hushgraph.datasets.digest import derived_seed
from hushgraph.graph import Graph
from hushgraph.local.controls import fit_controls
from hushgraph.local.estimator import LocalEstimator, OnStep
from hushgraph.mechanisms import AdjacencyRandomizedResponse, RandomizedResponse
from hushgraph.mechanisms.protocol import FeatureMechanism
from hushgraph.metrics import accuracy
from hushgraph.privacy import Ledger
from hushgraph.split import Split, random_split


@dataclass(frozen=True, slots=True)
class Setting:
    """What is run: the mechanisms of the devices and the unfitted model of the server."""

    features: FeatureMechanism | None
    labels: RandomizedResponse
    model: LocalEstimator
    train: float = 0.5
    val: float = 0.25
    edges: AdjacencyRandomizedResponse | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Repeat:
    """What came of one seed; ``controls`` are accuracies without people's features, by name."""

    seed: int
    accuracy: float
    seconds: float
    model: LocalEstimator
    collected: CollectedGraph
    controls: Mapping[str, float] = field(default_factory=dict)


def repeat(
    graph: Graph,
    setting: Setting,
    seeds: Sequence[int],
    *,
    seeded_noise: bool = True,
    common_noise: bool = False,
    controls: Sequence[str] = (),
    on_epoch: OnStep | None = None,
    ledger: Ledger | None = None,
    campaign: str = "campaign",
) -> Iterator[Repeat]:
    """Runs a setting once for each seed: of split and weights and, if ``seeded_noise``, of the noise.

    Each seed asks the same people again, so that what they spend adds up. With ``common_noise`` settings of
    one seed share their random numbers: for comparisons on public data alone, see :func:`noise_of`.
    For each of ``controls`` the same is learned without features, see :mod:`hushgraph.local.controls`.
    ``on_epoch(step, steps, …)`` is called after every step of the method, such as an epoch. ``accuracy`` is
    on test people, whose labels were not collected; ``seconds`` is the time of learning. Each collection is
    charged to ``ledger`` under the name of the ``campaign``.
    """
    asked = campaign_for(
        graph, features=setting.features, labels=setting.labels, lists=setting.edges, name=campaign
    )
    for seed in seeds:
        split = random_split(graph, train=setting.train, val=setting.val, seed=seed)
        rng = noise_of(seed, graph, asked, split, common=common_noise) if seeded_noise else None
        collected = collect(
            graph,
            split,
            features=setting.features,
            labels=setting.labels,
            edges=setting.edges,
            rng=rng,
            ledger=ledger,
            campaign=campaign,
        )
        start = time.perf_counter()
        model = setting.model.with_params(random_state=seed)
        model.fit(collected, progress=on_epoch)
        seconds = time.perf_counter() - start
        without = fit_controls(model, collected, controls, on_epoch)
        compared = {name: accuracy(control, graph, split.test) for name, control in without}
        yield Repeat(seed, accuracy(model, graph, split.test), seconds, model, collected, compared)


def noise_of(
    seed: int, graph: Graph, asked: Campaign, split: Split, *, common: bool = False
) -> np.random.Generator:
    """The noise of a simulated collection: from its seed, and from all that is asked of whom.

    So no two collections of the same people share a random number, and split and weights, which follow from
    the seed alone, tell nothing about the noise.
    """
    if common:
        # On public data, where nobody is asked, random numbers that all settings of a seed have in common
        # make their differences clearer; and the figures that are kept of such data were made so.
        return np.random.default_rng([seed, 1])
    whom = [split.train.tolist(), split.val.tolist()]
    return np.random.default_rng(derived_seed(graph, "noise of a collection", seed, asked.id, whom))
