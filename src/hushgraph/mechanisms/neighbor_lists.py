"""Everybody's neighbour list, one behind the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.edges import both_directions


@dataclass(frozen=True, slots=True, eq=False)
class NeighborLists:
    """Whom people name: true friends, or what their device reported.

    Attributes:
        starts: where each list starts, int64 (lists + 1,).
        names: the people named, each list sorted and without its owner, int64.
        owners: whose list each is, int64; by default there is one of everybody, in their order.
        num_people: how many people there are, n; by default as many as lists.

    Person 0 is a friend of 1 and 2, and nobody else is:

    >>> lists = NeighborLists.from_edges([[0, 0], [1, 2]], num_people=3)
    >>> [lists.of(person).tolist() for person in range(3)], lists.edges().tolist()
    ([[1, 2], [0], [0]], [[0, 0], [1, 2]])
    """

    starts: NDArray[np.int64]
    names: NDArray[np.int64]
    owners: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    num_people: int = 0

    def __post_init__(self) -> None:
        starts, names = self.starts, self.names
        if starts.ndim != 1 or starts.size < 2 or starts[0] != 0 or (np.diff(starts) < 0).any():
            raise ValueError("starts must rise from 0, with one more entry than there are lists")
        if self.owners.size == 0:
            _check.keep(self, owners=np.arange(starts.size - 1))
        _check.keep(self, num_people=self.num_people or starts.size - 1)
        owners = _check.node_ids(self.owners, "owners", self.num_people)
        if owners.size != starts.size - 1:
            raise ValueError(f"owners must be {starts.size - 1} people, one for each list; got {owners.size}")
        if names.shape != (int(starts[-1]),):
            raise ValueError(f"names must have {int(starts[-1])} entries, as starts says; got {names.shape}")
        owner, named = self.pairs
        if names.size and not (names.min() >= 0 and names.max() < self.num_people):
            raise ValueError(f"a list names somebody outside 0 … {self.num_people - 1}")
        if (owner == named).any():
            raise ValueError(f"person {owner[owner == named][0]} names themselves")
        unsorted = (np.diff(named) <= 0) & (np.diff(owner) == 0)
        if unsorted.any():
            who = owner[:-1][unsorted][0]
            raise ValueError(f"the list of person {who} names somebody twice, or is not sorted")

    @classmethod
    def from_pairs(cls, owner: ArrayLike, named: ArrayLike, num_people: int) -> NeighborLists:
        """From pairs (who, whom) sorted by both."""
        owners, names = np.asarray(owner, np.int64), np.asarray(named, np.int64)
        if owners.shape != names.shape or (np.diff(owners) < 0).any():
            raise ValueError("pairs must be sorted by who names, with one named person for each")
        if owners.size and not 0 <= owners[0] <= owners[-1] < num_people:
            raise ValueError(f"somebody outside 0 … {num_people - 1} has a list")
        counts = np.bincount(owners, minlength=num_people)
        return cls(np.concatenate([[0], np.cumsum(counts)]), names)

    @classmethod
    def of_person(cls, person: int, friends: ArrayLike, num_people: int) -> NeighborLists:
        """One person's list, as their device holds it."""
        person = _check.count(person, "person")
        if person >= num_people:
            raise ValueError(f"person must lie in 0 … {num_people - 1}, got {person}")
        try:
            names = np.sort(_check.node_ids(friends, "friends", num_people))
        except ValueError:
            accepted = f"numbers of people, 0 … {num_people - 1}, each once"
            raise ValueError(f"friends must be {accepted} (private, so not shown)") from None
        if (names == person).any():
            raise ValueError("friends must not name the person themselves")
        return cls(np.array([0, names.size]), names, np.array([person]), num_people)

    @classmethod
    def from_lists(cls, lists: Sequence[ArrayLike]) -> NeighborLists:
        """From one list for each person, in any order; a name that stands twice in a list is an error.

        >>> NeighborLists.from_lists([[2, 1], [0], []]).of(0).tolist()
        [1, 2]
        """
        each = [np.sort(np.asarray(names)) for names in lists]
        for who, names in enumerate(each):
            if names.ndim != 1 or (names.size and names.dtype.kind not in "iu"):
                raise ValueError(f"the list of person {who} must hold whole numbers, got {names.dtype}")
        starts = np.concatenate([[0], np.cumsum([names.size for names in each], dtype=np.int64)])
        return cls(starts, np.concatenate([np.empty(0, np.int64), *each], dtype=np.int64, casting="unsafe"))

    @classmethod
    def from_edges(cls, edges: ArrayLike, num_people: int) -> NeighborLists:
        """Both lists of every friendship of an undirected graph, each friendship given once (2, E)."""
        owner, named = both_directions(edges)
        order = np.lexsort((named, owner))
        return cls.from_pairs(owner[order], named[order], num_people)

    @property
    def num_names(self) -> int:
        """How many names all lists hold together."""
        return int(self.names.size)

    @property
    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Who names whom."""
        return np.repeat(self.owners, np.diff(self.starts)), self.names

    def of(self, place: int) -> NDArray[np.int64]:
        """The list at a place, which is its owner where there is one of everybody."""
        return self.names[self.starts[place] : self.starts[place + 1]]

    def edges(self, one_sided: Literal["refuse", "keep", "drop"] = "refuse") -> NDArray[np.int64]:
        """The friendships of an undirected graph, each once, ``u < v``, sorted, (2, E).

        Such a graph has no ``one_sided`` entries, of somebody who names a person who does not name them: by
        default they are an error that says how many there are.
        """
        _check.choice(one_sided, "one_sided", ("refuse", "keep", "drop"))
        alone = self.one_sided()
        if alone.size and one_sided == "refuse":
            raise ValueError(
                f"{alone.shape[1]} entries are one-sided: somebody names a person who does not name them. In"
                " an undirected graph both do: mend the lists (one_sided() has the entries), or say"
                " one_sided='keep' or 'drop'"
            )
        edges, votes = self.named_pairs()
        return edges[:, votes == 2] if one_sided == "drop" else edges

    def named_pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Pairs of whom one names the other, ``u < v``, sorted (2, M); and how many of the two do, 1 or 2."""
        low, high = np.minimum(*self.pairs), np.maximum(*self.pairs)
        pairs, votes = np.unique(low * self.num_people + high, return_counts=True)
        return np.stack(np.divmod(pairs, self.num_people)), votes

    def one_sided(self) -> NDArray[np.int64]:
        """Pairs (who, whom) of which the second does not name the first, shape (2, …)."""
        owner, named = self.pairs
        there, back = owner * self.num_people + named, named * self.num_people + owner
        alone = ~np.isin(there, back)
        return np.stack([owner[alone], named[alone]])
