"""How much a neighboring graph changes what is computed from a graph of people with few friends each.

A relation is ``"edge"``, ``"node-removal"`` or ``"node-replacement"``; D is the public cap on friends. The
referee (:mod:`hushgraph.audit.referee`) checks these by trying all small graphs.
"""

from __future__ import annotations

import math

from hushgraph.privacy.relations import NeighboringRelation


def l2_of_sums(relation: NeighboringRelation, max_degree: int) -> float:
    """Of sums over neighbors of rows of L2 norm 1, where a sum is clipped to √D: in L2 norm.

    An edge changes two rows by 1. Without one person, D rows lose a message of norm 1, and the person's own
    row, of norm √D at most, is 0. With another person in their place all of this changes by twice as much.
    """
    removal = math.sqrt(2 * max_degree)
    return {"edge": math.sqrt(2), "node-removal": removal, "node-replacement": 2 * removal}[relation]


def l1_of_sums(relation: NeighboringRelation, max_degree: int) -> int:
    """Of sums over neighbors of rows of L1 norm 1: in L1 norm.

    An edge is in two sums. A person's own sum has norm D at most, and they are in D others' sums; with
    another person in their place, all of that goes and as much comes.
    """
    return {"edge": 2, "node-removal": 2 * max_degree, "node-replacement": 4 * max_degree}[relation]


def l1_of_degrees(relation: NeighboringRelation, max_degree: int) -> int:
    """Of everybody's number of friends: in L1 norm, a person's own and their neighbors'."""
    # With d friends before and d' after: |d - d'| of one's own, and at most d + d' others' by 1.
    return {"edge": 2, "node-removal": 2 * max_degree, "node-replacement": 2 * max_degree}[relation]


def changed_samples(relation: NeighboringRelation, max_degree: int) -> int:
    """How many people's inputs are others, where inputs are own and neighbors' data."""
    return {"edge": 2, "node-removal": max_degree + 1, "node-replacement": 2 * max_degree + 1}[relation]


def changed_pairs(relation: NeighboringRelation, max_degree: int) -> int:
    """How many pairs are friends in one of the two graphs alone."""
    return {"edge": 1, "node-removal": max_degree, "node-replacement": 2 * max_degree}[relation]
