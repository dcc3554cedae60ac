"""The supervised link attack: an auxiliary part of the graph shows what friends look like."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushgraph.attacks import posteriors
from hushgraph.attacks.answers import Answers
from hushgraph.attacks.classifier import learned
from hushgraph.attacks.knowledge import KnownPairs
from hushgraph.attacks.links.distances import DISTANCES
from hushgraph.attacks.links.pairs import checked_pairs
from hushgraph.attacks.targets import Target, said_by


def by_known_pairs(
    target: Target, pairs: NDArray[np.int64], known: KnownPairs, rng: np.random.Generator
) -> Answers:
    """Says "friends" by what a network learned from pairs that the attacker knows.

    (He et al., USENIX Security 2021, attack 3.)
    Black box, supervised: the attacker sees posteriors and holds a part of the graph. The network sees
    :func:`pair_features`, which are the same whoever of the two comes first.
    """
    proba = said_by(target)
    classifier = learned(
        pair_features(proba, known.pairs), known.friends.astype(np.int64), 2, rng, balanced=True
    )
    chances = classifier(pair_features(proba, pairs))[:, 1]
    return Answers("friends, by known pairs", chances, chances > 0.5)


def pair_features(proba: NDArray[np.float32], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Eight distances of two posteriors and of their logarithms, and four vector operations on either.

    The operations are average, Hadamard product and weighted L1 and L2, on posteriors and on entropies.
    """
    pairs = checked_pairs(pairs, len(proba))
    rows, logs = np.asarray(proba, np.float64), posteriors.logarithms(proba)
    undecided = posteriors.entropy(proba)[:, None]
    distances = [
        measure(values[pairs[0]], values[pairs[1]])
        for values in (rows, logs)
        for measure in DISTANCES.values()
    ]
    operations = [
        part for values in (rows, undecided) for part in _operations(values[pairs[0]], values[pairs[1]])
    ]
    return np.column_stack([*distances, *operations])


def _operations(one: NDArray[np.float64], other: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    return [(one + other) / 2, one * other, abs(one - other), (one - other) ** 2]
