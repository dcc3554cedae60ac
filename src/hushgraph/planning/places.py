"""Where everybody is in a public graph: the walk, leading eigenvectors, components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray

from hushgraph.local.cascade.spectra import Spectra
from hushgraph.local.cascade.walk import Walk
from hushgraph.planning.statistics import Structure
from hushgraph.sparse import Adjacency

Numbers = NDArray[np.float64]
Classes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """What labels can follow, made once for all draws.

    Attributes:
        structure: the graph.
        walk, spectra: as the cascade has them.
        component: which connected component everybody is in.
        degree: of everybody.
    """

    structure: Structure
    walk: Walk
    spectra: Spectra
    component: NDArray[np.int32]
    degree: Numbers

    @classmethod
    def of(cls, structure: Structure) -> Places:
        """Deterministic: starting vectors are always the same."""
        walk = Walk(Adjacency.from_edges(structure.edges, structure.people))
        one, other = structure.edges
        friends = sp.csr_array((np.ones(one.size, bool), (one, other)), shape=(structure.people,) * 2)
        _, component = sp.csgraph.connected_components(friends, directed=False)
        spectra = Spectra(walk, torch.Generator().manual_seed(0))
        return cls(structure, walk, spectra, component, walk.degree.double().numpy())

    def averaged(self, values: Numbers, steps: int = 1) -> Numbers:
        """The average over where a walk from each person is after so many steps."""
        found = self.walk.step(torch.from_numpy(values.astype(np.float32)), steps)
        return found.numpy().astype(np.float64)

    def directions(self, count: int) -> Numbers:
        """Everybody's direction in the leading eigenvectors (n, count); zero in small components."""
        vectors = self.spectra.vectors[:, :count].double().numpy()
        return unit_rows(vectors)

    def homophily(self, labels: Classes) -> float:
        """The share of friendships between people of one class."""
        one, other = self.structure.edges
        return float((labels[one] == labels[other]).mean())


def unit_rows(values: Numbers) -> Numbers:
    """Rows of length 1; those of no length stay zero."""
    unit: Numbers = values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-9)
    return unit
