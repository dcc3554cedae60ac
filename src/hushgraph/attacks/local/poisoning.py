"""Fake people who say the worst they can.

A device that belongs to an attacker need not randomise: it sends whatever answer it likes, and the server
takes it for the truth seen through noise. To undo that noise it multiplies each answer by 1 / (p - q), a lie
like any other: the smaller ε, the fewer liars it takes (Cheu, Smith & Ullman, *Manipulation Attacks in Local
Differential Privacy*, S&P 2021; Cao, Jia & Gong, *Data Poisoning Attacks to Local Differential Privacy
Protocols*, USENIX Security 2021). The same noise hides the liar: whatever they say, an honest person would
have said with probability q at least.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.collection.collected import CollectedGraph
from hushgraph.graph import Graph

Befriends = Literal["anybody", "hubs"]


def with_fakes(
    graph: Graph,
    share: float,
    rng: np.random.Generator,
    befriends: Befriends = "anybody",
    friends: int | None = None,
) -> tuple[Graph, NDArray[np.int64]]:
    """The graph once fake people have joined it, and their numbers, which are the last.

    Args:
        graph: the real people.
        share: of all people, the fakes included.
        rng: draws whom they befriend.
        befriends: ``"anybody"``, each real person alike, or ``"hubs"``, by their number of friends.
        friends: how many friends each fake has; by default the mean of the real ones.
    """
    share = _check.fraction(share, "share", open_above=True)
    _check.choice(befriends, "befriends", get_args(Befriends))
    people, count = graph.num_nodes, round(share * graph.num_nodes / (1 - share))
    degree = np.bincount(graph.edges.ravel(), minlength=people)
    each = max(1, round(float(degree.mean()))) if friends is None else friends
    weight = degree + 0.0 if befriends == "hubs" and degree.any() else np.ones(people)
    fakes = np.arange(people, people + count)
    chosen = rng.choice(people, (count, _check.count(each, "friends")), p=weight / weight.sum())
    links = np.stack([chosen.ravel(), np.repeat(fakes, chosen.shape[1])])
    rows = sp.csr_array((count, graph.num_features), dtype=np.float32)
    features = (
        sp.vstack([graph.features, rows]).tocsr()
        if sp.issparse(graph.features)
        else np.concatenate([graph.features, rows.toarray()])
    )
    larger = replace(
        graph,
        edges=np.concatenate([graph.edges, links], axis=1),
        features=features,
        labels=np.concatenate([graph.labels, np.zeros(count, np.int64)]),
        ids=None,
    )
    return larger, fakes


def against_friends(graph: Graph, people: NDArray[np.int64]) -> NDArray[np.int64]:
    """The class after the one that most of a person's friends have: the lie that confuses classes most.

    Its attacker knows the true classes of all friends, which is more than most do.
    """
    links = sp.coo_array((np.ones(graph.num_edges), graph.edges), shape=(graph.num_nodes,) * 2).tocsr()
    known = np.flatnonzero(graph.labels >= 0)
    known = known[~np.isin(known, people)]
    classes = np.zeros((graph.num_nodes, graph.num_classes))
    classes[known, graph.labels[known]] = 1
    return np.asarray(((links + links.T)[people] @ classes).argmax(1) + 1) % graph.num_classes


def lying(
    collected: CollectedGraph,
    people: NDArray[np.int64],
    labels: NDArray[np.int64],
    columns: NDArray[np.int32] | None = None,
) -> CollectedGraph:
    """The same collection, had these people sent these labels, as they are.

    With ``columns`` (m,) they also claim that their devices drew these features, and answer each with +1.
    """
    people, labels = _check.node_ids(people, "people", collected.num_nodes), np.asarray(labels)
    outside = ((labels < 0) | (labels >= collected.num_classes)).any()
    if labels.shape not in ((), people.shape) or outside:
        raise ValueError(f"labels must be one of {collected.num_classes} classes for each of these people")
    changed, said = [], np.zeros(collected.num_nodes, np.int64)
    said[people] = labels
    for one in collected.reports.answers:
        rows = np.flatnonzero(np.isin(one.people, people))
        parts = {name: array.copy() for name, array in one.parts.items()}
        if one.question == "label":
            parts["label"][rows] = said[one.people[rows]]
        elif one.question == "features" and columns is not None and "signs" in parts:
            parts["columns"][rows], parts["signs"][rows] = columns, 1
        changed.append(replace(one, parts=parts))
    return replace(collected, reports=replace(collected.reports, answers=tuple(changed)))
