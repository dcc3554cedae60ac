"""Who is friends with whom in the synthetic social network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

# P(more than k friends) falls like k to minus this; the density's exponent is 2.5.
TAIL_INDEX = 1.5
# The share of friends from the own class that come from the own circle.
IN_CIRCLE = 0.5
# Nobody seeks more friends in a circle or a class than this share of its people.
SHARE_ASKED = 0.5
TOLERANCE, ROUNDS = 0.005, 30
CHUNK = 1 << 20


def draw_friendships(
    circle: NDArray[np.int32],
    class_of_circle: NDArray[np.int32],
    mean_degree: float,
    homophily: float,
    rng: np.random.Generator,
    sought: NDArray[np.float64] | None = None,
) -> NDArray[np.int32]:
    """Friendships (2, E) with power-law degrees within circles, within classes and across; time O(n + E).

    Person i seeks w_i friends, w a Pareto law. They ask w_i / 2 people and are asked by as many:
    somebody of a circle, of a class or of all is asked with probability proportional to w. Asking
    oneself or a friend changes nothing, so that some ask again until the mean degree is met.

    Args:
        circle: the circle of each person, shape (n,).
        class_of_circle: the class of each circle, sorted.
        mean_degree: friends of a person on average.
        homophily: the probability of asking within the own class.
        sought: how many friends each person seeks, instead of the power law.
    """
    n = circle.size
    wanted = round(n * mean_degree / 2)
    if sought is None:
        sought = _friends_sought(n, mean_degree, rng)
    pool = _pool(circle, class_of_circle, sought, homophily, rng)
    asking = np.repeat(np.arange(n, dtype=np.int32), _rounded(sought / 2, rng))
    friends = _pairs(asking, pool.ask(asking, rng), n)
    for _ in range(ROUNDS):
        missing = wanted - friends.nnz
        if missing <= TOLERANCE * wanted:
            break
        asking = pool.people[rng.integers(pool.people.size, size=missing)]
        friends = friends + _pairs(asking, pool.ask(asking, rng), n)
    people = np.repeat(np.arange(n, dtype=np.int32), np.diff(friends.indptr))
    return np.stack([people, friends.indices], dtype=np.int32)


@dataclass(frozen=True, slots=True)
class _Pool:
    """Whom one can ask: ``people``, each as often as w / 2 says, ordered by circle.

    A circle, a class and all people are a range each, so that asking somebody there is one look at
    a random place. ``in_circle`` and ``in_class`` are each person's probabilities of asking there,
    the second including the first.
    """

    people: NDArray[np.int32]
    circle: NDArray[np.int32]
    circle_range: NDArray[np.int64]
    class_range: NDArray[np.int64]
    in_circle: NDArray[np.float32]
    in_class: NDArray[np.float32]

    def ask(self, asking: NDArray[np.int32], rng: np.random.Generator) -> NDArray[np.int32]:
        """Somebody for each of those who ask, in chunks that bound the memory."""
        asked = np.empty_like(asking)
        for begin in range(0, asking.size, CHUNK):
            who = asking[begin : begin + CHUNK]
            whim = rng.random(who.size, np.float32)
            circle = self.circle[who]
            start, end = np.where(
                whim < self.in_circle[who],
                self.circle_range[:, circle],
                np.where(whim < self.in_class[who], self.class_range[:, circle], [[0], [self.people.size]]),
            )
            place = (start + rng.random(who.size) * (end - start)).astype(np.int64)
            # A range is empty where its few people are all sought by nobody: then the next one is asked.
            asked[begin : begin + CHUNK] = self.people[np.minimum(place, self.people.size - 1)]
        return asked


def _pool(
    circle: NDArray[np.int32],
    class_of_circle: NDArray[np.int32],
    sought: NDArray[np.float64],
    homophily: float,
    rng: np.random.Generator,
) -> _Pool:
    order = np.argsort(circle, kind="stable").astype(np.int32)
    times = _rounded(sought[order] / 2, rng)
    # Circles, and classes as the circles from their first to their last, as ranges of ordered people.
    bounds = np.concatenate([[0], np.cumsum(np.bincount(circle, minlength=class_of_circle.size))])
    first, last = (np.searchsorted(class_of_circle, class_of_circle, side) for side in ("left", "right"))
    circles, classes = np.stack([bounds[:-1], bounds[1:]]), np.stack([bounds[first], bounds[last]])
    in_circle = np.minimum(homophily * IN_CIRCLE, SHARE_ASKED * np.diff(circles, axis=0)[0, circle] / sought)
    in_class = np.minimum(homophily - in_circle, SHARE_ASKED * np.diff(classes, axis=0)[0, circle] / sought)
    place = np.concatenate([[0], np.cumsum(times)])
    return _Pool(
        people=np.repeat(order, times),
        circle=circle,
        circle_range=place[circles],
        class_range=place[classes],
        in_circle=in_circle.astype(np.float32),
        in_class=(in_circle + in_class).astype(np.float32),
    )


def _friends_sought(n: int, mean_degree: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """A Pareto law with the mean asked for, cut off where a simple graph could no longer follow it."""
    sought = 1 + rng.pareto(TAIL_INDEX, n)
    sought *= mean_degree / sought.mean()
    np.minimum(sought, np.sqrt(n * mean_degree), out=sought)
    sought *= mean_degree / sought.mean()
    return sought


def _rounded(amounts: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Whole numbers with these amounts as their means, whose sum is the amounts' sum rounded."""
    until: NDArray[np.int64] = np.floor(np.cumsum(amounts) + rng.random()).astype(np.int64)
    until[1:] -= until[:-1].copy()
    return until


def _pairs(asking: NDArray[np.int32], asked: NDArray[np.int32], n: int) -> sp.csr_array:
    """Each pair of two people once, as the upper half of an adjacency matrix.

    Scipy's way to CSR is a counting sort by row: less time and memory than sorting 64-bit keys.
    """
    others = asking != asked
    low, high = np.minimum(asking, asked)[others], np.maximum(asking, asked)[others]
    return sp.coo_array((np.ones(low.size, bool), (low, high)), shape=(n, n)).tocsr()
