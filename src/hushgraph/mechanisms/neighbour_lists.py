"""Everybody's neighbour list, one behind the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourLists:
    """Whom each of n people names: true friends, or what their device reported.

    Attributes:
        starts: where each person's list starts, int64 (n + 1,).
        names: the people named, each list sorted and without its owner, int64.
    """

    starts: NDArray[np.int64]
    names: NDArray[np.int64]

    def __post_init__(self) -> None:
        starts, names = self.starts, self.names
        if starts.ndim != 1 or starts.size < 2 or starts[0] != 0 or (np.diff(starts) < 0).any():
            raise ValueError("starts must rise from 0, with one more entry than there are people")
        if names.shape != (int(starts[-1]),):
            raise ValueError(f"names must have {int(starts[-1])} entries, as starts says; got {names.shape}")
        owner, named = self.pairs
        if names.size and not (names.min() >= 0 and names.max() < self.num_people):
            raise ValueError(f"a list names somebody outside 0 … {self.num_people - 1}")
        if (owner == named).any():
            raise ValueError(f"person {owner[owner == named][0]} names themselves")
        unsorted = (np.diff(named) <= 0) & (np.diff(owner) == 0)
        if unsorted.any():
            raise ValueError(
                f"the list of person {owner[:-1][unsorted][0]} is not sorted, or names somebody twice"
            )

    @classmethod
    def from_pairs(cls, owner: ArrayLike, named: ArrayLike, num_people: int) -> NeighbourLists:
        """From pairs (who, whom) sorted by both."""
        counts = np.bincount(np.asarray(owner, np.int64), minlength=num_people)
        return cls(np.concatenate([[0], np.cumsum(counts)]), np.asarray(named, np.int64))

    @classmethod
    def from_edges(cls, edges: ArrayLike, num_people: int) -> NeighbourLists:
        """Both lists of every friendship of an undirected graph, each friendship given once (2, E)."""
        one, other = np.asarray(edges, np.int64)
        owner, named = np.concatenate([one, other]), np.concatenate([other, one])
        order = np.lexsort((named, owner))
        return cls.from_pairs(owner[order], named[order], num_people)

    @property
    def num_people(self) -> int:
        """How many people there are, n."""
        return int(self.starts.size - 1)

    @property
    def num_names(self) -> int:
        """How many names all lists hold together."""
        return int(self.names.size)

    @property
    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Who names whom."""
        return np.repeat(np.arange(self.num_people), np.diff(self.starts)), self.names

    def of(self, person: int) -> NDArray[np.int64]:
        """One person's list."""
        return self.names[self.starts[person] : self.starts[person + 1]]

    def one_sided(self) -> NDArray[np.int64]:
        """Pairs (who, whom) of which the second does not name the first, shape (2, …)."""
        owner, named = self.pairs
        there, back = owner * self.num_people + named, named * self.num_people + owner
        alone = ~np.isin(there, back)
        return np.stack([owner[alone], named[alone]])
