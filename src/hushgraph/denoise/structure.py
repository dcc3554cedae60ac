"""The graph that a server computes with: the public one, or what it makes of reported neighbour lists."""

from __future__ import annotations

from typing import get_args

import torch

from hushgraph import _check
from hushgraph.choices import Structure
from hushgraph.collection.collected import CollectedGraph
from hushgraph.denoise.blocks import block_posterior
from hushgraph.sparse.adjacency import Adjacency


def collected_adjacency(
    collected: CollectedGraph, structure: Structure = "blocks", device: torch.device | str = "cpu"
) -> Adjacency:
    """The graph of a collection.

    A public graph is taken as it is. Of reported lists, of which every friendship stands in two:

    - ``"directed"``: everybody listens to those whom they name themselves, as in Solitude.
    - ``"either"``: pairs of whom one names the other, all alike.
    - ``"both"``: pairs named by every list that could, all alike.
    - ``"posterior"``: the pairs that the lists favour, weighted by the probability that they are friends,
      given the noise and the estimated number of friendships. Where all lists have the same noise these are
      the pairs of ``"both"``: one that a single list of two names is as likely to be friends as before
      anybody answered, so it is left out like the pairs that nobody named. Where people chose levels, a
      reliable list outvotes the other.
    - ``"degrees"``: the same, given everybody's estimated number of friends. These add up lists of all levels
      alike: not for levels that differ much.
    - ``"blocks"``: the same, given which classes tend to be friends; see
      :func:`~hushgraph.denoise.blocks.block_posterior`.
    """
    _check.choice(structure, "structure", get_args(Structure))
    people = collected.num_nodes
    if collected.edge_noise is None:
        return Adjacency.from_edges(collected.edges, people, device)
    if structure == "directed":
        lists = collected.lists
        return Adjacency.from_lists(lists.starts, lists.names, device)
    friendships = collected.friendships
    if structure in ("either", "both"):
        return Adjacency.from_edges(friendships.kept(structure), people, device)
    if structure == "blocks":
        weights, _ = block_posterior(
            friendships, collected.labels, collected.label_channel, collected.num_classes
        )
    else:
        prior = friendships.degree_prior() if structure == "degrees" else None
        weights = friendships.posterior(prior)[friendships.favored]
    return Adjacency.from_edges(friendships.edges[:, friendships.favored], people, device, weights)
