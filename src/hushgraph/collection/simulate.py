"""A simulated collection: every person's device answers once, here and now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.collection.assemble import assemble
from hushgraph.collection.campaign import QUESTIONS, Campaign, Question
from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.columns import select, to_columns
from hushgraph.collection.prices import prices
from hushgraph.collection.reports import Answers, Reports
from hushgraph.graph import Graph
from hushgraph.mechanisms import NeighborLists
from hushgraph.mechanisms.protocol import FeatureMechanism, LabelMechanism, ListMechanism
from hushgraph.mechanisms.randomness import Random, SecureRandom, checked
from hushgraph.privacy import Ledger
from hushgraph.split import Split


def collect(
    graph: Graph,
    split: Split,
    *,
    features: FeatureMechanism | Sequence[FeatureMechanism] | None = None,
    labels: LabelMechanism | Sequence[LabelMechanism],
    edges: ListMechanism | Sequence[ListMechanism] | None = None,
    rng: Random | None = None,
    answered: ArrayLike | None = None,
    levels: Mapping[Question, ArrayLike] | None = None,
    ledger: Ledger | None = None,
    campaign: str = "campaign",
) -> CollectedGraph:
    """What a server would have after asking everyone once: a campaign, simulated reports, :func:`assemble`.

    Everybody in ``answered`` sends features and, with ``edges``, their neighbour list; those of them in
    ``split.train`` and ``split.val`` send a label too. Test people report no label.

    Args:
        graph: what people hold.
        split: who gives a label.
        features, labels, edges: the mechanism for each, as :class:`Campaign` has features, labels and lists.
            Features and lists are not asked for unless they have one.
        rng: by default the operating system's randomness, as on devices. With a seeded generator this is a
            simulation, and the guarantee says so.
        answered: the numbers of the people who answer at all; everyone by default.
        levels: for questions with several levels, the level that each person takes (n,).
        ledger: where the budgets are spent, for everybody or nobody, by the ids of the graph or, where it has
            none, by number. An overspender is refused before anything is randomised.
        campaign: the name under which the ledger records them.
    """
    if labels is None:
        raise TypeError("labels must be a RandomizedResponse, got NoneType")
    asked = campaign_for(graph, features=features, labels=labels, lists=edges, name=campaign)
    reports = simulate_reports(asked, graph, split, rng=rng, answered=answered, levels=levels, ledger=ledger)
    public = None if asked.lists else graph.edges
    return assemble(asked, reports, edges=public, split=split, ids=graph.ids)


def campaign_for(
    graph: Graph, *, features: Any, labels: Any, lists: Any = None, name: str = "campaign"
) -> Campaign:
    """The campaign that asks the people of a graph, with the graph's classes and names."""
    if features is not None and graph.num_features == 0:
        raise ValueError(
            f"features cannot be asked for: {graph.name!r} has none; features=None asks for none"
        )
    return Campaign(
        classes=graph.classes,
        classes_from_data=graph.classes_from_data,
        num_features=graph.num_features,
        feature_names=graph.feature_names,
        ranges_from_data=graph.ranges_from_data,
        features=features,
        labels=labels,
        lists=lists,
        num_people=graph.num_nodes,
        name=name,
    )


def simulate_reports(
    campaign: Campaign,
    graph: Graph,
    split: Split,
    *,
    rng: Random | None = None,
    answered: ArrayLike | None = None,
    levels: Mapping[Question, ArrayLike] | None = None,
    ledger: Ledger | None = None,
) -> Reports:
    """What the devices of a graph's people send, drawn at once; see :func:`collect`."""
    answers = np.full(graph.num_nodes, answered is None)
    if answered is not None:
        answers[_check.node_ids(answered, "answered", graph.num_nodes)] = True
    people = np.flatnonzero(answers)
    if people.size == 0:
        raise ValueError("answered must name at least one person, got nobody")
    source = SecureRandom() if rng is None else checked(rng)
    taken = _levels_taken(campaign, levels, graph.num_nodes)
    train, val = (_labeled(graph, getattr(split, part), answers, part) for part in ("train", "val"))
    _check.disjoint(train, val, graph.num_nodes)
    who: dict[Question, NDArray[np.int64]] = {"label": np.concatenate([train, val])}
    who |= {"lists": people, "features": people}
    groups = [
        (question, level, group)
        for question, asked in who.items()
        for level in range(len(campaign.levels(question)))
        if (group := asked[taken[question][asked] == level]).size
    ]
    due = [] if ledger is None else list(prices(campaign, groups, graph.num_nodes, graph.ids))
    if ledger is not None:
        ledger.check_all(due)
    sent = tuple(_answers(campaign, graph, *group, source) for group in groups)
    # Paid for once it is drawn, and before anybody can see it.
    if ledger is not None:
        ledger.spend_all(due)
    return Reports(campaign.id, sent, simulated=type(source) is not SecureRandom)


def _answers(
    campaign: Campaign, graph: Graph, question: Question, level: int, people: NDArray[np.int64], rng: Random
) -> Answers:
    """What the devices of some people make of what these hold."""
    mechanism = campaign.levels(question)[level]
    if question == "label":
        return Answers(question, level, people, {"label": mechanism.randomize(graph.labels[people], rng)})
    if question == "lists":
        held: Any = _lists_of(graph, people)
    else:
        rows = graph.features if people.size == graph.num_nodes else graph.features[people]
        held = campaign.in_mechanism_range(rows, level)
    return Answers(question, level, people, to_columns(mechanism.randomize(held, rng)))


def _lists_of(graph: Graph, people: NDArray[np.int64]) -> NeighborLists:
    """The true neighbour lists of some people."""
    everyone = to_columns(NeighborLists.from_edges(graph.edges, graph.num_nodes))
    return NeighborLists(**select(everyone, people), owners=people, num_people=graph.num_nodes)


def _levels_taken(
    campaign: Campaign, levels: Mapping[Question, ArrayLike] | None, num_nodes: int
) -> dict[Question, NDArray[np.int64]]:
    given = dict(levels or {})
    for question in given:
        _check.choice(question, "levels", QUESTIONS)
    taken: dict[Question, NDArray[np.int64]] = {}
    for question in QUESTIONS:
        offered = len(campaign.levels(question))
        if offered > 1 and question not in given:
            raise ValueError(f"levels must say which of {offered} levels each person takes of {question}")
        chosen = np.asarray(given.get(question, np.zeros(num_nodes, np.int64)))
        proper = chosen.shape == (num_nodes,) and chosen.dtype.kind in "iu"
        if not proper or (offered and not ((chosen >= 0) & (chosen < offered)).all()):
            raise ValueError(f"levels of {question} must be {num_nodes} whole numbers in 0 … {offered - 1}")
        taken[question] = chosen.astype(np.int64)
    return taken


def _labeled(graph: Graph, part: Any, answers: NDArray[np.bool_], name: str) -> NDArray[np.int64]:
    """Those of a part of the split who answer at all."""
    ids = _check.node_ids(part, f"split.{name}", graph.num_nodes)
    if (graph.labels[ids] < 0).any():
        raise ValueError(f"split.{name} names people who have no label")
    return ids[answers[ids]]
