"""Neighboring graphs with a canary: small ones, in which one person or one friendship stands out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hushgraph.audit.canary import World
from hushgraph.graph import Graph
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.split import Split

PEOPLE = 8


def neighbors(
    relation: NeighboringRelation, friends: int = 4, *, meets_others: bool = True, tested: bool = False
) -> tuple[World, World]:
    """Eight people, among them a canary with a feature of their own and friends; and a neighboring graph.

    In the latter there is a friendship less; or the canary is nobody; or they are somebody else, with another
    friend or, unless ``meets_others``, with none. Everybody trains or, where some are to be ``tested``,
    all but the four whom the canary may have for friends.
    """
    features = np.zeros((PEOPLE, 3))
    features[1::2, 0] = features[2::2, 1] = features[0, 2] = 1
    labels = np.arange(PEOPLE) % 2
    edges = np.array([[0] * friends + [5], [*range(1, friends + 1), 6]])
    nobody = np.array([], int)
    everybody = np.arange(PEOPLE)
    split = (
        Split(everybody[[0, 5, 6, 7]], nobody, everybody[1:5]) if tested else Split(everybody, nobody, nobody)
    )
    whole = Graph(edges, features, labels, num_classes=2)
    if relation == "edge":
        return (replace(whole, edges=np.hstack([whole.edges, [[0], [5]]])), split), (whole, split)
    features, labels = features.copy(), labels.copy()
    if relation == "node-removal":
        features[0], labels[0] = 0, -1
        return (whole, split), (Graph(edges[:, friends:], features, labels, num_classes=2), split)
    features[0], labels[0] = [-1, 0, 0], 1
    new = np.array([[0], [4]] if meets_others else [[], []], int)
    others = Graph(np.hstack([edges[:, friends:], new]), features, labels, num_classes=2)
    return (whole, split), (others, split)
