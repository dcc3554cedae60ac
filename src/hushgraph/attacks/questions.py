"""What a suite asks, and the truth that it judges by: who trains, which attribute, which friendships."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.attacks.knowledge import Revealed
from hushgraph.graph import Graph

LABEL = "label"


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """A sensitive attribute of everybody: -1 where somebody has none."""

    name: str
    values: NDArray[np.int64]
    kinds: int

    @classmethod
    def of(cls, graph: Graph, name: str | int = LABEL) -> Attribute:
        """The label, or whether a feature is above the middle of its range, by its name or number."""
        if name == LABEL:
            return cls(LABEL, graph.labels, graph.num_classes)
        column = _column(graph, name)
        values = graph.features[:, [column]]
        rows = np.asarray(values.toarray() if hasattr(values, "toarray") else values).ravel()
        high = (rows > (rows.min() + rows.max()) / 2).astype(np.int64)
        return cls(f"feature {name}", high, 2)

    def revealed_by(self, share: float, rng: np.random.Generator) -> tuple[Revealed, NDArray[np.int64]]:
        """What a random share of people reveals, and everybody else who has the attribute."""
        people = rng.permutation(np.flatnonzero(self.values >= 0))
        shown = np.sort(people[: max(1, round(share * people.size))])
        return Revealed(shown, self.values[shown], self.kinds), np.setdiff1d(people, shown)


def coins(people: int, rng: np.random.Generator, share: float = 0.5) -> NDArray[np.bool_]:
    """Whether each person is in, decided by a coin of their own."""
    return rng.random(people) < share


@dataclass(frozen=True, slots=True, eq=False)
class Withheld:
    """Some friendships, of which a coin withheld about half.

    Attributes:
        graph: without those that were withheld.
        pairs: the friendships (2, m).
        kept: which of them are in the graph (m,).
        others: the friendships that no coin is about. Nobody trains on more than these: so what is kept
            stands in one of :class:`TwoViews` alone, and which these are says nothing of who trains.
    """

    graph: Graph
    pairs: NDArray[np.int64]
    kept: NDArray[np.bool_]
    others: NDArray[np.int32]

    @classmethod
    def of(cls, graph: Graph, size: int, rng: np.random.Generator) -> Withheld:
        """Up to ``size`` friendships, at most a tenth."""
        order = rng.permutation(graph.num_edges)
        chosen, others = np.split(order, [min(size, graph.num_edges // 10)])
        kept = coins(chosen.size, rng)
        left = graph.edges[:, np.sort(np.concatenate([others, chosen[kept]]))]
        pairs = graph.edges[:, chosen].astype(np.int64)
        return cls(replace(graph, edges=left), pairs, kept, graph.edges[:, np.sort(others)])


def _column(graph: Graph, name: str | int) -> int:
    names = graph.feature_names or ()
    if name in names:
        return list(names).index(str(name))
    if str(name).isdecimal() and int(name) < graph.num_features:
        return int(name)
    accepted = f"'{LABEL}', a number below {graph.num_features}" + (
        " or the name of a feature" if names else ""
    )
    raise ValueError(f"attribute must be {accepted}, got {name!r}{_check.nearest(name, names)}")
