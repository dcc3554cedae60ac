"""Features that cost no privacy because they say nothing private: ones, degrees, noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.collection.collected import CollectedGraph
from hushgraph.mechanisms import Factored

KINDS = ("ones", "degree", "random")
# Columns where people have no features whose number could be taken.
WIDTH = 64


def public_features(
    kind: str, collected: CollectedGraph, rng: np.random.Generator
) -> Factored | NDArray[np.float32]:
    """Public stand-ins for the features, as wide as the private ones (LPGNN, Table 3), if there are any.

    ``"ones"``: 1 everywhere. ``"degree"``: the one-hot degree, or length of the reported list, d - 1 and
    above in the last column. ``"random"``: uniform in [0, 1].
    """
    _check.choice(kind, "features", KINDS)
    shape = (collected.num_nodes, collected.num_features or WIDTH)
    if kind == "ones":
        starts, nothing = np.zeros(shape[0] + 1, np.int64), np.zeros(0, np.int32)
        return Factored(starts, nothing, nothing.astype(np.float32), shape, midpoint=1.0)
    if kind == "degree":
        ends = collected.edges if collected.edge_noise is None else collected.edges[0]
        degree = np.bincount(ends.ravel(), minlength=shape[0])
        columns = np.minimum(degree, shape[1] - 1).astype(np.int32)
        return Factored(np.arange(shape[0] + 1), columns, np.ones(shape[0], np.float32), shape)
    return rng.random(shape, np.float32)
