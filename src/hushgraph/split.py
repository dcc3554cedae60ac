"""Who trains, who validates, who is only tested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check

if TYPE_CHECKING:
    from hushgraph.graph import Graph


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Three disjoint lists of node numbers, each sorted."""

    train: NDArray[np.int64]
    val: NDArray[np.int64]
    test: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"Split({self.train.size:,} train, {self.val.size:,} val, {self.test.size:,} test)"


def random_split(graph: Graph, *, train: float, val: float, seed: int, everyone: bool = False) -> Split:
    """A uniformly random split; people without a label are in no part, and the rest is test.

    Args:
        train, val: fractions of the people of the graph who have a label.
        seed: the same seed gives the same split.
        everyone: split all people, whether they have a label or not. A curator who protects persons needs
            this: who is where must not depend on anybody's data.
    """
    train, val = _check.fraction(train, "train"), _check.fraction(val, "val")
    if train + val > 1 + 1e-9:
        raise ValueError(f"train + val must be at most 1, got {train:g} + {val:g}")
    _check.count(seed, "seed")
    people = np.arange(graph.num_nodes) if everyone else np.flatnonzero(graph.labels >= 0)
    order = np.random.default_rng(seed).permutation(people)
    first, second = round(train * order.size), round((train + val) * order.size)
    return Split(np.sort(order[:first]), np.sort(order[first:second]), np.sort(order[second:]))
