"""One friendship, from everybody else's lists and labels; and what its own two entries add."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph.attacks.decisions import Decisions
from hushgraph.attacks.local.one_friendship import votes
from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.friendships import Friendships
from hushgraph.denoise.blocks import block_posterior
from hushgraph.mechanisms import NeighborLists


@dataclass(frozen=True, slots=True, eq=False)
class PairKnowledge:
    """What is known of pairs from their own two entries, and from everything else.

    Attributes:
        own, blocks, both: from their entries, from the classes of the two, and from both together. Scores are
            logarithms of how much more likely friends are than any pair, and yes is said above 0.
        in_common: from the friends whom others' lists give them in common; the score is their number, each
            weighted with its probability, and yes is said above half a friend.
    """

    own: Decisions
    blocks: Decisions
    both: Decisions
    in_common: Decisions


def friendship_given_others(
    collected: CollectedGraph, pairs: NDArray[np.int64], friends: NDArray[np.bool_]
) -> PairKnowledge:
    """How far other people's lists and labels give friendships away, and what their own entries add.

    A stochastic block model is fitted to everybody's lists and labels, less the entries of these
    ``pairs`` (2, k): to it they are strangers whom nobody named. It says how often people of two classes are
    friends, and no ε bounds what follows from that of one pair. Their own entries then move the logarithm
    of their odds by 2ε at most, whatever it was. Of friends in common the model knows nothing.
    """
    if len(collected.campaign.lists) != 1:
        raise ValueError("collected must have lists at one level")
    (mechanism,), lists = collected.campaign.lists, collected.lists
    hidden = Friendships.reported(_without(lists, pairs), mechanism.flip_probability)
    weights, classes = block_posterior(
        hidden, collected.labels, collected.label_channel, collected.num_classes
    )
    u, v = hidden.edges[:, hidden.favored]
    once = classes[u].T @ (weights[:, None] * classes[v])
    rate = (once + once.T) / np.outer(classes.sum(0), classes.sum(0))
    before = np.clip(np.einsum("ea,ab,eb->e", classes[pairs[0]], rate, classes[pairs[1]]), 1e-12, 0.5)
    odds = hidden.density / (1 - hidden.density)
    others = np.asarray(np.log(before / (1 - before)) - math.log(odds))
    own = np.asarray(mechanism.epsilon * (2.0 * votes(lists, pairs) - 2))
    people = lists.num_people
    graph = sp.csr_array((weights, (u, v)), shape=(people, people))
    graph = graph + graph.T
    shared = np.asarray(graph[pairs[0]].multiply(graph[pairs[1]]).sum(1), np.float64).ravel()
    return PairKnowledge(
        Decisions("two lists", own, own > 0, friends),
        Decisions("classes of both", others, others > 0, friends),
        Decisions("lists and classes", own + others, own + others > 0, friends),
        Decisions("friends in common", shared, shared > 0.5, friends),
    )


def _without(lists: NeighborLists, pairs: NDArray[np.int64]) -> NeighborLists:
    """The same lists, had neither of each pair named the other."""
    owner, name = lists.pairs
    people = lists.num_people
    hidden = np.concatenate([pairs[0] * people + pairs[1], pairs[1] * people + pairs[0]])
    stays = ~np.isin(owner * people + name, hidden)
    return NeighborLists.from_pairs(owner[stays], name[stays], people)
