"""What the planner looks at: a public graph, or a few numbers about one that nobody may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.datasets.social_friendships import draw_friendships
from hushgraph.edges import canonical_edges
from hushgraph.graph import Graph

# People in a circle of a graph that is made up, and how many are simulated at most of a larger one.
CIRCLE_SIZE, SMALLEST = 200, 100
# By so much of what is missing, friends are of one community more often than of one class.
CLOSER = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """Who is friends with whom, and nothing about anybody.

    Args:
        edges: integers (2, E), in any direction and order.
        people: how many there are, n.
        stands_for: how many there really are, where these are some of them; by default ``people``.
    """

    edges: NDArray[np.int32]
    people: int
    stands_for: int = 0

    def __post_init__(self) -> None:
        people = _check.count(self.people, "people", minimum=SMALLEST)
        edges, _, _ = canonical_edges(self.edges, people)
        if edges.shape[1] == 0:
            raise ValueError("edges must have at least one friendship")
        _check.keep(self, people=people, edges=edges, stands_for=self.stands_for or people)

    @property
    def mean_degree(self) -> float:
        """Friends of a person on average."""
        return 2 * int(self.edges.shape[1]) / self.people

    def around_one(self, people: int, rng: np.random.Generator) -> Structure:
        """The first so many people that a search from one of them meets, and the friendships among them.

        Their degrees stay what they are, but for those whom the search met last.
        """
        if people >= self.people:
            return self
        from scipy.sparse.csgraph import breadth_first_order, connected_components

        both = np.concatenate([self.edges, self.edges[::-1]], axis=1)
        friends = sp.csr_array((np.ones(both.shape[1], bool), (both[0], both[1])), shape=(self.people,) * 2)
        _, component = connected_components(friends, directed=False)
        # Whoever comes first of a component: the search meets all of it, as long as there is room.
        some = rng.permutation(self.people)
        starts = some[np.sort(np.unique(component[some], return_index=True)[1])]
        whole = int(np.count_nonzero(np.cumsum(np.bincount(component)[component[starts]]) <= people))
        kept = np.isin(component, component[starts[:whole]])
        if room := people - int(kept.sum()):
            met = breadth_first_order(friends, starts[whole], directed=False, return_predecessors=False)
            kept[met[:room]] = True
        number = np.cumsum(kept) - 1
        inside = self.edges[:, kept[self.edges].all(axis=0)]
        return Structure(number[inside].astype(np.int32), people, self.stands_for)


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """What is known of a graph that is not: a graph of that kind is made up.

    Args:
        people: how many there are, n.
        mean_degree: friends of a person on average; how many each has then follows a power law.
        degrees: or how many friends people have, in any order; those of a sample will do.

    >>> Statistics(people=2_000, mean_degree=8.0).mean_degree
    8.0
    """

    people: int
    mean_degree: float | None = None
    degrees: ArrayLike | None = None

    def __post_init__(self) -> None:
        people = _check.count(self.people, "people", minimum=SMALLEST)
        if (self.mean_degree is None) == (self.degrees is None):
            raise ValueError("give mean_degree or degrees, one of the two")
        degrees = None
        if self.degrees is not None:
            degrees = np.asarray(self.degrees, np.float64)
            if degrees.ndim != 1 or not degrees.size or not (np.isfinite(degrees) & (degrees >= 0)).all():
                raise ValueError("degrees must be a list of finite numbers ≥ 0")
        given = self.mean_degree if degrees is None else float(degrees.mean())
        mean = _check.non_negative(given, "mean_degree")  # type: ignore[arg-type]
        if not 2 / people <= mean <= people / 10:
            raise ValueError(f"mean_degree must lie in [{2 / people:g}, {people / 10:g}], got {mean:g}")
        _check.keep(self, people=people, mean_degree=mean, degrees=degrees)

    def structure(self, classes: int, homophily: float, most: int, rng: np.random.Generator) -> Structure:
        """A graph with circles of friends, circles in as many communities as there are classes."""
        people = min(self.people, most)
        circles = max(2 * classes, people // CIRCLE_SIZE)
        class_of_circle = (np.arange(circles) * classes // circles).astype(np.int32)
        size = 1 + rng.pareto(3.0, circles)
        circle = rng.choice(circles, size=people, p=size / size.sum()).astype(np.int32)
        assert self.mean_degree is not None
        mean = min(self.mean_degree, people / 10)
        sought = None
        if self.degrees is not None:
            # Nobody seeks none at all: probabilities are shares of what is sought.
            sought = np.maximum(rng.choice(np.asarray(self.degrees), people), 0.01)
            sought *= mean / sought.mean()
        closeness = homophily + CLOSER * (1 - homophily)
        edges = draw_friendships(circle, class_of_circle, mean, closeness, rng, sought=sought)
        return Structure(edges, people, self.people)


Source = Graph | Structure | Statistics


def structure_of(
    source: Any, classes: int, homophily: float, most: int, rng: np.random.Generator
) -> Structure:
    """The graph that is simulated on; of a :class:`~hushgraph.Graph` friendships alone are read."""
    if isinstance(source, Statistics):
        return source.structure(classes, homophily, most, rng)
    if isinstance(source, Graph):
        source = Structure(source.edges, source.num_nodes)
    if not isinstance(source, Structure):
        raise TypeError(f"plan needs a Graph, a Structure or Statistics, got {type(source).__name__}")
    return source.around_one(most, rng)
