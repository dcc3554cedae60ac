"""The unsupervised link attack: friends are told alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.attacks.answers import Answers, most_likely
from hushgraph.attacks.links.distances import DISTANCES
from hushgraph.attacks.links.pairs import checked_pairs
from hushgraph.attacks.targets import Target, said_by


def by_distance(
    target: Target, pairs: NDArray[np.int64], *, distance: str = "correlation", share: float = 0.5
) -> Answers:
    """Says "friends" of the pairs whose posteriors are nearest (He et al., USENIX Security 2021, attack 0).

    Black box, unsupervised: the attacker sees posteriors and knows which share of the pairs are friends,
    which sets the threshold.

    Args:
        pairs: numbers of people (2, m).
        distance: one of the paper's eight, such as ``"cosine"``; the paper finds correlation best.
    """
    measure = DISTANCES[_check.choice(distance, "distance", DISTANCES)]
    rows = np.asarray(said_by(target), np.float64)
    pairs = checked_pairs(pairs, len(rows))
    return most_likely("friends, by distance", -measure(rows[pairs[0]], rows[pairs[1]]), share)
