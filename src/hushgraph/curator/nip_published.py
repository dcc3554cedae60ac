"""NIP-GNN as published: for reproduction, and for the record of why its claim fails."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.curator import nip_head
from hushgraph.curator.individual_noise import published_weights
from hushgraph.curator.influence import learned_influence, ranks
from hushgraph.curator.nip_gnn import LEAVES
from hushgraph.curator.nip_head import NIPMethod
from hushgraph.curator.noisy_edges import Reading, published_lists
from hushgraph.curator.parts import Part, randomized
from hushgraph.curator.rows import scaled_rows
from hushgraph.curator.run import PrivateRun
from hushgraph.curator.sums import adjacency_matrix
from hushgraph.mechanisms.randomness import Random


class PublishedNIPGNN(NIPMethod):
    """NIP-GNN by the paper's equations 6 to 15; its guarantee is refuted, with the reasons.

    :class:`NIPGNN` is the same idea made private. Here noise scales, influence and the thinning of the graph
    follow from private data, and no cap is public.

    Args:
        relation: ``"node-removal"``, which the paper claims.
        max_degree: drops friendships above it; by default nothing is dropped, and the true largest degree
            sets the noise.
        budget: how ε is split over ``edges``, ``aggregation`` and ``labels``, by default equally.
        edge_reading: of the perturbation of edges, whose text and equations differ: ``"text"`` or
            ``"equations"``.

    The other arguments are those of :class:`~hushgraph.curator.nip_head.NIPMethod`.
    """

    RELATIONS = ("node-removal",)
    CORRECTED = False
    REASON = "claimed by the paper's Theorem 5"
    REFUTED = (
        "Theorem 3 bounds a person's weight by their neighbours' degrees and not by their own: in a star of D"
        " leaves replacing the hub costs ε_A·(D + 1)/2",
        "noise scales depend on the private graph; where two neighbouring graphs have different ones, no ε"
        " holds",
        "influence is learned from private features and edges, outside any budget",
        "the largest degree is private and sets the noise",
        "Lemma 1 is about removing a person; Definition 1 alters one, which costs up to twice as much",
        "Theorem 4 thins the randomised graph by true degrees, which is no post-processing",
        "edges are perturbed and other pairs are not (by equation 23 the other way round), so that some"
        " outcomes are possible under one of two neighbouring graphs only",
    )

    max_degree: int | None = None
    edge_reading: Reading = "text"

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        super().check_params()
        _check.choice(self.edge_reading, "edge_reading", get_args(Reading))

    def parts(self) -> tuple[Part, ...]:
        """Three releases, at equal shares."""
        return (
            randomized("edges", 1.0, "as the paper's Theorem 4 has it"),
            randomized(
                "aggregation", 1.0, "as the paper's Theorem 3 has it: Laplace noise of individual scale"
            ),
            randomized("labels", 1.0, "randomised response"),
        )

    def released(self) -> str:
        """Sums, graph and labels."""
        return LEAVES

    def release(self, run: PrivateRun) -> tuple[NDArray[np.float32], Any]:
        """Noisy sums and the noisy graph by equations 6 to 12; without a budget, the true ones."""
        people, rows = run.graph.num_nodes, scaled_rows(run.graph.features, "l1")
        truth, coins = adjacency_matrix(run.edges, people), run.coins("published")
        if not self.private:
            return nip_head.noisy_sums(rows, truth, None, coins), truth

        def source(rng: Random) -> Any:
            return coins if run.simulated else rng

        def graph_by(rng: Random) -> Any:
            person, name = published_lists(
                run.edges,
                people,
                self.budget_["edges"],
                source(rng),
                sampling=self.degree_sampling,
                reading=self.edge_reading,
            )
            return sp.csr_array((np.ones(person.size, np.float32), (person, name)), shape=truth.shape)

        scales = self._scales(run)
        sums = run.randomize(
            "aggregation",
            self.budget_["aggregation"],
            lambda rng: nip_head.noisy_sums(rows, truth, scales, source(rng)),
        )
        return sums, run.randomize("edges", self.budget_["edges"], graph_by)

    def _scales(self, run: PrivateRun) -> NDArray[np.float64]:
        people = run.graph.num_nodes
        largest = max(1, int(np.bincount(run.edges.ravel(), minlength=people).max()))
        weights = np.ones(people)
        if not self.uniform:
            influence = learned_influence(run.graph.features, run.edges, people, self.sensing)
            weights = published_weights(ranks(influence), run.edges, people)
        scales: NDArray[np.float64] = 2 * largest / (self.budget_["aggregation"] * weights)
        return scales
