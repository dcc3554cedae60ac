"""Train on a part of the graph, ask about all of it: one fit that does both, of any method."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph.graph import Graph
from hushgraph.split import Split


@dataclass(frozen=True, slots=True, eq=False)
class TwoViews:
    """Everybody twice: as those who train, and as those who are asked about (TSTF).

    Olatunji, Nejdl & Khosla (2021) train on the subgraph of the members and test on the full graph. Most
    methods predict for the graph that they learned from, so both are given to them as one graph of two parts
    without an edge between them. The first part holds the members, with their friendships among each other;
    in the place of everybody else stands a *null record*, without features, label or friends. The second
    part holds everybody as they are, and trains nobody.

    Two such graphs that differ in one member are neighbors by ``"node-removal"``: how many people there are,
    and all that is asked, is the same in both. So whatever (ε, δ) a method promises for that relation bounds
    how well anybody can tell members from others, if whether each is one was decided by a coin of their own.

    Attributes:
        graph: both parts, 2n people.
        whole: the second part alone, n people.
        members: who trains, of n.
    """

    graph: Graph
    whole: Graph
    members: NDArray[np.bool_]

    @classmethod
    def of(
        cls, graph: Graph, members: NDArray[np.bool_], trained_with: NDArray[np.int32] | None = None
    ) -> TwoViews:
        """The two views of a graph of n people, of whom these train; by default with all friendships."""
        people = graph.num_nodes
        if members.shape != (people,) or members.dtype != bool or not members.any():
            raise ValueError(
                f"members must say of each of {people} people whether they train, and of somebody"
            )
        known = graph.edges if trained_with is None else trained_with
        kept = known[:, members[known].all(0)]
        both = replace(
            graph,
            edges=np.concatenate([kept, graph.edges + people], axis=1),
            features=_stacked(graph.features, members),
            labels=np.concatenate([np.where(members, graph.labels, -1), graph.labels]),
            ids=None,
            dropped_self_loops=0,
            dropped_duplicates=0,
        )
        return cls(both, graph, members)

    @property
    def split(self) -> Split:
        """The first part trains, null records included; the second is tested."""
        people, nobody = self.members.size, np.zeros(0, np.int64)
        return Split(np.arange(people), nobody, np.arange(people, 2 * people))

    @property
    def present(self) -> NDArray[np.bool_]:
        """Who has anything to say: not the null records (2n,)."""
        return np.concatenate([self.members, np.ones_like(self.members)])

    def asked(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of rows for both parts, those of everybody as they are asked about."""
        return rows[self.members.size :]

    def covered(self, max_degree: int | None) -> float:
        """The share of people whom a cap on friendships covers, as members."""
        if max_degree is None:
            return 1.0
        people = self.members.size
        edges = self.whole.edges
        friends = np.bincount(edges[0][self.members[edges[1]]], minlength=people)
        friends += np.bincount(edges[1][self.members[edges[0]]], minlength=people)
        return float((friends <= max_degree).mean())


def induced(graph: Graph, people: NDArray[np.int64]) -> Graph:
    """The graph of some people alone, numbered in this order."""
    number = np.full(graph.num_nodes, -1)
    number[people] = np.arange(people.size)
    edges = number[graph.edges]
    return replace(
        graph,
        edges=edges[:, (edges >= 0).all(0)],
        features=graph.features[people],
        labels=graph.labels[people],
        ids=None if graph.ids is None else graph.ids[people],
        dropped_self_loops=0,
        dropped_duplicates=0,
    )


def _stacked(features: object, members: NDArray[np.bool_]) -> object:
    if sp.issparse(features):
        kept = sp.diags_array(members.astype(np.float32)) @ features
        stacked = sp.csr_array(sp.vstack([kept, features]))
        stacked.eliminate_zeros()
        return stacked
    rows = np.asarray(features)
    return np.concatenate([rows * members[:, None], rows])
