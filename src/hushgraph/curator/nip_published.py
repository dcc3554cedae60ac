"""NIP-GNN's release as published: for reproduction, and for the record of why its claim fails."""

from __future__ import annotations

import numpy as np

from hushgraph.curator.individual_noise import published_weights
from hushgraph.curator.influence import learned_influence, ranks
from hushgraph.curator.method import Task
from hushgraph.curator.nip_release import Release, noisy_sums
from hushgraph.curator.noisy_edges import Reading, published_lists
from hushgraph.curator.rows import scaled_rows

WHY_IT_FAILS = (
    "Theorem 3 bounds a person's weight by their neighbours' degrees and not by their own: in a star of D"
    " leaves replacing the hub costs ε_A·(D + 1)/2",
    "noise scales depend on the private graph; where two neighbouring graphs have different ones, no ε holds",
    "influence is learned from private features and edges, outside any budget",
    "the largest degree is private and sets the noise",
    "Lemma 1 is about removing a person; Definition 1 alters one, which costs up to twice as much",
    "Theorem 4 thins the randomised graph by true degrees, which is no post-processing",
    "edges are perturbed and other pairs are not (by equation 23 the other way round), so that some outcomes"
    " are possible under one of two neighbouring graphs only",
)


def release(
    task: Task,
    epsilon_sums: float,
    epsilon_edges: float,
    *,
    uniform: bool,
    degree_sampling: bool,
    sensing: int,
    reading: Reading,
) -> Release:
    """Noisy sums and the noisy graph by equations 6 to 12."""
    graph, edges = task.graph, task.edges
    people = graph.num_nodes
    rng = np.random.default_rng([task.seed, 5])
    largest = max(1, int(np.bincount(edges.ravel(), minlength=people).max()))
    weights = np.ones(people)
    if not uniform:
        influence = learned_influence(graph.features, edges, people, sensing)
        weights = published_weights(ranks(influence), edges, people)
    scales = 2 * largest / (epsilon_sums * weights)
    sums = noisy_sums(scaled_rows(graph.features, "l1"), edges, scales, rng)
    person, name = published_lists(
        edges, people, epsilon_edges, rng, sampling=degree_sampling, reading=reading
    )
    return Release(sums, person, name)
