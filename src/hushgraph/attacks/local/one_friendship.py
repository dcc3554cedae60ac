"""One friendship, from the two noisy lists in which it stands.

Each list flips its entry with p = 1/(e^ε + 1). With v of two lists naming the other, the odds that two
people are friends are those before times ((1 - p)/p)^(2v - 2) = e^(2ε (v - 1)). The two lists together
cost 2ε, and what that allows is reached: (1 - p)² = e^(2ε) p².
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from hushgraph import _check
from hushgraph.attacks.bounds import largest_auc, largest_success, largest_tpr
from hushgraph.attacks.decisions import Decisions
from hushgraph.mechanisms import NeighborLists
from hushgraph.mechanisms.protocol import ListMechanism


@dataclass(frozen=True)
class FriendshipGuess:
    """What the best attacker makes of ``lists`` entries about one pair, in closed form.

    >>> from hushgraph import AdjacencyRandomizedResponse
    >>> pair = FriendshipGuess(AdjacencyRandomizedResponse(2.0))
    >>> round(pair.tpr(2), 3), round(pair.fpr(2), 4), round(pair.advantage, 3)  # tanh(ε / 2), as of one list
    (0.776, 0.0142, 0.762)
    >>> round(pair.auc, 3), round(pair.auc_bound, 3)
    (0.961, 0.982)
    """

    mechanism: ListMechanism
    lists: int = 2

    @property
    def epsilon(self) -> float:
        """What the entries cost together."""
        return self.lists * self.mechanism.epsilon

    def tpr(self, votes: int) -> float:
        """The share of friends whom at least so many of the lists name."""
        return float(binom.sf(votes - 1, self.lists, 1 - self.mechanism.flip_probability))

    def fpr(self, votes: int) -> float:
        """The share of strangers whom they do."""
        return float(binom.sf(votes - 1, self.lists, self.mechanism.flip_probability))

    def tpr_bound(self, votes: int) -> float:
        """The largest share of friends that ε allows at that share of strangers."""
        return largest_tpr(self.fpr(votes), self.epsilon)

    @property
    def advantage(self) -> float:
        """The largest share of friends less that of strangers, over all thresholds."""
        return max(self.tpr(votes) - self.fpr(votes) for votes in range(1, self.lists + 1))

    @property
    def auc(self) -> float:
        """The chance that more lists name a friend than a stranger, ties counted half."""
        friends, strangers = self._votes
        return float(friends @ (np.cumsum(strangers) - strangers / 2))

    @property
    def auc_bound(self) -> float:
        """The largest that ε allows."""
        return largest_auc(self.epsilon)

    def success(self, density: float) -> float:
        """How often the best guess is right of a pair who are friends with this probability beforehand.

        At a low density it is always "no" unless e^(2ε) density > 1 - density: then both lists convince.
        """
        _check.fraction(density, "density")
        friends, strangers = self._votes
        return float(np.maximum(density * friends, (1 - density) * strangers).sum())

    def success_bound(self, density: float) -> float:
        """The largest that ε allows."""
        return largest_success([density, 1 - density], self.epsilon)

    @cached_property
    def _votes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        p, votes = self.mechanism.flip_probability, np.arange(self.lists + 1)
        return binom.pmf(votes, self.lists, 1 - p), binom.pmf(votes, self.lists, p)


def friendship_attack(
    lists: NeighborLists, pairs: NDArray[np.int64], friends: NDArray[np.bool_], epsilon: float, density: float
) -> Decisions:
    """The best attacker on the two entries of each of some ``pairs`` (2, k), played.

    Scores are logarithms of posterior odds, and he says yes where these are above 0.
    """
    if not 0 < density < 1:
        raise ValueError(f"density must be above 0 and below 1, got {density!r}")
    odds = np.asarray(math.log(density / (1 - density)) + epsilon * (2.0 * votes(lists, pairs) - 2))
    return Decisions("two lists", odds, odds > 0, friends)


def votes(lists: NeighborLists, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many of each pair name the other."""
    owner, name = lists.pairs
    there, people = owner * lists.num_people + name, lists.num_people
    each = (np.isin(one * people + other, there) for one, other in (pairs, pairs[::-1]))
    return np.asarray(sum(named.astype(np.int64) for named in each))


def pairs_to_attack(
    edges: NDArray[np.integer], num_people: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """All friends, and as many strangers at random: pairs (2, k), and which are friends. For evaluation."""
    friends = np.asarray(edges, np.int64)
    keys = friends[0] * num_people + friends[1]
    drawn = rng.integers(0, num_people, (2, 4 * friends.shape[1] + 100))
    low, high = drawn.min(0), drawn.max(0)
    strange = np.unique((low * num_people + high)[low < high])
    strange = rng.permutation(np.setdiff1d(strange, keys))[: friends.shape[1]]
    pairs = np.concatenate([friends, np.stack(np.divmod(strange, num_people))], axis=1)
    return pairs, np.arange(pairs.shape[1]) < friends.shape[1]
