"""Who walks to whom: the public graph, or what lists and visible labels make likely."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from hushgraph.collection.collected import CollectedGraph
from hushgraph.denoise.blocks import block_posterior
from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.walk import Walk
from hushgraph.sparse import Adjacency


class Friends:
    """The graph of a collection, for each set of labels that may be looked at.

    A public graph is one and the same. Pairs in private lists have weights, the probability that they are
    friends given lists and labels (:func:`~hushgraph.denoise.blocks.block_posterior`). A view that hides
    labels has weights of its own, or its edges would give away what it hides. ``without_labels`` has the
    weights that follow from lists alone.
    """

    def __init__(self, collected: CollectedGraph, device: torch.device) -> None:
        self.num_people, self.device = collected.num_nodes, device
        self.num_classes = collected.num_classes
        self.private = collected.edge_noise is not None
        if self.private:
            self.channel = collected.label_channel
            self.friendships = collected.friendships
            self.favored = self.friendships.favored
            self.without_labels = self._weighted(self.friendships.posterior()[self.favored])
        else:
            self.without_labels = Walk(Adjacency.from_edges(collected.edges, self.num_people, device))

    def walk(self, reports: LabelReports) -> Walk:
        """The walk of those who see these labels."""
        if not self.private or len(reports) == 0:
            return self.without_labels
        weights, _ = block_posterior(
            self.friendships, reports.labels_of_everybody(), self.channel, self.num_classes
        )
        return self._weighted(weights)

    def _weighted(self, weights: NDArray[np.float64]) -> Walk:
        pairs = self.friendships.edges[:, self.favored]
        return Walk(Adjacency.from_edges(pairs, self.num_people, self.device, weights))
