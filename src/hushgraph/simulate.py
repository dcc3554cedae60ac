"""A simulated collection: every person's device answers once, here and now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hushgraph import _check
from hushgraph.collected import CollectedGraph
from hushgraph.graph import Graph
from hushgraph.mechanisms import (
    AdjacencyRandomizedResponse,
    AnalyticGaussian,
    Factored,
    Laplace,
    MultiBit,
    NeighbourLists,
    OneBit,
    RandomizedResponse,
)
from hushgraph.mechanisms.randomness import Random
from hushgraph.privacy import Guarantee, Ledger, compose
from hushgraph.split import Split

PUBLIC = "friendships, and who answered which question, are no secret: nothing here protects them"
PUBLIC_PEOPLE = "who takes part, and who answered which question, are no secret: nothing here protects them"
WITH_LISTS = "any two values of one person's {}, and neighbour lists that differ in one entry"

FeatureMechanism = MultiBit | OneBit | Laplace | AnalyticGaussian


def collect(
    graph: Graph,
    split: Split,
    *,
    features: FeatureMechanism | None,
    labels: RandomizedResponse,
    edges: AdjacencyRandomizedResponse | None = None,
    rng: Random,
    answered: ArrayLike | None = None,
    ledger: Ledger | None = None,
    campaign: str = "campaign",
) -> CollectedGraph:
    """What a server would have after asking everyone once.

    Everybody in ``answered`` sends features and, with ``edges``, their neighbour list; those of them in
    ``split.train`` and ``split.val`` send a label too. Test people report no label.

    Args:
        graph: what people hold.
        split: who gives a label.
        features: the mechanism for features; None if they are not asked for.
        labels: the mechanism for labels.
        edges: the mechanism for neighbour lists; None if the graph is public.
        rng: a seeded generator, or :class:`~hushgraph.SecureRandom`.
        answered: the numbers of the people who answer at all; everyone by default.
        ledger: where the budgets are spent, for everybody or nobody; an overspender is refused before
            anything is randomised.
        campaign: the name under which the ledger records them.
    """
    if not isinstance(labels, RandomizedResponse):
        raise TypeError(f"labels must be a RandomizedResponse, got {type(labels).__name__}")
    if features is not None and not isinstance(features, FeatureMechanism):
        raise TypeError(f"features must be a feature mechanism or None, got {type(features).__name__}")
    if edges is not None and not isinstance(edges, AdjacencyRandomizedResponse):
        raise TypeError(f"edges must be an AdjacencyRandomizedResponse or None, got {type(edges).__name__}")
    if ledger is not None and ledger.people != graph.num_nodes:
        raise ValueError(f"ledger is of {ledger.people} people, but the graph has {graph.num_nodes}")
    people = np.arange(graph.num_nodes)
    if answered is not None:
        people = _check.node_ids(answered, "answered", graph.num_nodes)
    answers = np.zeros(graph.num_nodes, bool)
    answers[people] = True
    labels = labels.for_classes(graph.num_classes)
    train, val = (
        _labelled(graph, part, answers, name) for name, part in (("train", split.train), ("val", split.val))
    )
    if train.size == 0:
        raise ValueError("no labelled person to train on: nobody in split.train answered")
    labelled = np.concatenate([train, val])
    asked = [] if features is None else [feature_guarantee(graph, features)]
    lists = [] if edges is None else [edges.guarantee]
    whole = _composed([*asked, labels.guarantee], lists)
    prices = [(f"{campaign}/{_named(whole.parts)}", whole, labelled)]
    if asked or lists:
        without_label = _composed(asked, lists)
        prices.append(
            (f"{campaign}/{_named(without_label.parts)}", without_label, np.setdiff1d(people, labelled))
        )
    if ledger is not None:
        for price in prices:
            ledger.check(*price)

    noisy = np.full(graph.num_nodes, -1, np.int64)
    noisy[labelled] = labels.randomize(graph.labels[labelled], rng)
    collected = CollectedGraph(
        edges=graph.edges if edges is None else _reported_lists(edges, graph, answers, rng),
        features=None if features is None else _reported(features, graph.features, answers, rng),
        midpoint=0.0 if features is None else (features.low + features.high) / 2,
        labels=noisy,
        train=train,
        val=val,
        num_classes=graph.num_classes,
        num_features=graph.num_features,
        label_noise=labels,
        answered=answers if asked or lists else np.zeros(graph.num_nodes, bool),
        guarantee=whole,
        edge_noise=edges,
    )
    # All or nothing: nobody pays as long as somebody would be refused or something else goes wrong.
    if ledger is not None:
        for price in prices:
            ledger.spend(*price)
    return collected


def feature_guarantee(graph: Graph, mechanism: FeatureMechanism) -> Guarantee:
    """What a mechanism promises on this graph: a mere claim if its ranges were taken from the data."""
    promised = mechanism.guarantee
    if graph.ranges_from_data:
        return promised.claimed("the range of each feature was taken from the private data")
    return promised


def _composed(values: Sequence[Guarantee], lists: Sequence[Guarantee]) -> Guarantee:
    """All that a person sent; of a neighbour list one entry is protected, not the whole of it."""
    if not lists:
        return compose("everything a person sent", values, conditions=(PUBLIC,))
    return compose(
        "everything a person sent",
        [*values, *lists],
        conditions=(PUBLIC_PEOPLE,),
        adjacency=WITH_LISTS.format(_named(values)) if values else lists[0].adjacency,
    )


def _named(parts: Sequence[Guarantee]) -> str:
    return " and ".join(part.protects for part in parts)


def _reported_lists(mechanism: AdjacencyRandomizedResponse, graph: Graph, answers: Any, rng: Random) -> Any:
    """Who names whom in the lists of those who answer."""
    held = NeighbourLists.from_edges(graph.edges, graph.num_nodes)
    owner, named = mechanism.randomize_all(held, rng).pairs
    return np.stack([owner, named])[:, answers[owner]].astype(np.int32)


def _labelled(graph: Graph, part: Any, answers: Any, name: str) -> Any:
    ids = _check.node_ids(part, f"split.{name}", graph.num_nodes)
    if (graph.labels[ids] < 0).any():
        raise ValueError(f"split.{name} names people who have no label")
    return ids[answers[ids]]


def _reported(mechanism: FeatureMechanism, truth: Any, answers: Any, rng: Random) -> Any:
    estimate = mechanism.estimate(mechanism.randomize(truth[answers] if not answers.all() else truth, rng))
    if answers.all():
        return estimate
    if isinstance(estimate, Factored):
        stored = np.zeros(answers.size, np.int64)
        stored[answers] = np.diff(estimate.indptr)
        indptr = np.concatenate([[0], np.cumsum(stored)])
        return Factored(
            indptr, estimate.indices, estimate.data, (answers.size, estimate.shape[1]), estimate.offset
        )
    everyone = np.full((answers.size, estimate.shape[1]), (mechanism.low + mechanism.high) / 2, np.float32)
    everyone[answers] = estimate
    return everyone
