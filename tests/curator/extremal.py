"""Neighboring graphs that change what is released by as much as is priced.

Person 0 goes, or is another. Everybody has one feature, 1 or -1, and what they say is that; where friendships
are dropped, :class:`Pair` says by which priorities. Where neighbor lists are inputs, a person's weight says
to which side a network moves those whose friend they are; a list of nobody is a little on the negative side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

import hushgraph as hg


@dataclass
class Pair:
    """Two graphs under construction: what person 0 has in either, and what is the same in both."""

    signs: list[float] = field(default_factory=lambda: [0.0])
    weights: list[float] = field(default_factory=lambda: [1.0])
    order: dict[tuple[int, int], int] = field(default_factory=dict)
    friends: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))

    def person(self, sign, weight=0.0):
        self.signs.append(sign)
        self.weights.append(weight)
        return len(self.signs) - 1

    def befriend(self, one, other, level=0):
        """The later the level, the later the friendship is in the lists of both."""
        self.order[min(one, other), max(one, other)] = level

    def graph(self, friends, sign):
        features = np.array(self.signs)[:, None]
        features[0] = sign or 0
        labels = np.arange(len(self.signs)) % 2
        labels[0] = -1 if sign is None else 0
        edges = [*((0, friend) for friend in friends), *self.order]
        return hg.Graph(np.array(edges, int).reshape(-1, 2).T, features, labels, num_classes=2)

    def graphs(self, relation):
        """With person 0, and without or with another."""
        gone = relation == "node-removal"
        return self.graph(self.friends[0], -1), self.graph(self.friends[1], None if gone else 1)

    @property
    def priorities(self):
        people = len(self.signs)
        levels = np.zeros((people, people))
        for pair, level in self.order.items():
            levels[pair] = level
        ranks = np.empty(people * people, np.uint64)
        ranks[np.argsort(levels.ravel(), kind="stable")] = np.arange(people * people)
        return ranks.reshape(people, people)


def crowded(relation, degree):
    """When person 0 goes, all friendships that come are at a few people, whose rows turn round."""
    pair = Pair()
    _crowd(pair, degree, 1, pair.friends[0])
    if relation == "node-replacement":
        _crowd(pair, degree, -1, pair.friends[1])
    return pair


def _crowd(pair, degree, sign, friends):
    clip = math.isqrt(degree)
    each = 2 * clip - 2  # further messages that turn a row round
    few = (degree - 1) // each
    friends += [pair.person(sign) for _ in range(degree)]
    others = {side: [pair.person(side * sign) for _ in range(degree // 2)] for side in (1, -1)}
    crowd, rest = friends[:few], friends[few:]
    # Somebody else at the end: friendships cannot come in a circle, for each is the last in one list.
    for level, (one, next_one) in enumerate(zip(crowd, [*crowd[1:], pair.person(sign)], strict=True)):
        pair.befriend(one, next_one, 2 + level)
    for number, one in enumerate(crowd):
        comers = each if number == 0 else each - 1
        for other in rest[:comers]:
            pair.befriend(other, one, 1)
        rest = rest[comers:]
        stays = degree - 1 - each
        against = (stays + clip - 1) // 2
        for friend in (*others[-1][:against], *others[1][: stays - against]):
            pair.befriend(one, friend)
    assert not rest
    for one in friends[few:]:
        for friend in (*others[1], *others[-1]):
            pair.befriend(one, friend)


def spread(relation, degree):
    """When person 0 goes, every friendship that comes is at somebody else, and each list turns round."""
    pair = Pair()
    for friends, side in _sides(pair, relation):
        for _ in range(degree):
            friends.append(pair.person(1, weight=2 * side))
            for _ in range(degree - 1):
                pair.befriend(friends[-1], pair.person(1))
            comes = pair.person(side, weight=-1)
            pair.befriend(friends[-1], comes, 1)
            pair.befriend(comes, pair.person(1, weight=-side))
    return pair


def apart(relation, degree):
    """Nobody is above the cap; whoever is replaced has other friends."""
    pair = Pair()
    for friends, side in _sides(pair, relation):
        friends += [pair.person(1, weight=side) for _ in range(degree)]
    return pair


def _sides(pair, relation):
    """The friends of person 0 in either graph, and to which side these move a list."""
    return list(zip(pair.friends, (1, -1), strict=True))[: 1 if relation == "node-removal" else 2]


def star(relation, degree):
    """Nobody is above the cap; whoever is replaced keeps some friends, and the others say the opposite."""
    pair = Pair()
    if relation == "node-removal":
        pair.friends[0].extend(pair.person(1) for _ in range(degree))
        return pair
    clip = math.isqrt(degree)
    both = [pair.person((-1) ** number) for number in range(degree - clip)]
    for friends, sign in zip(pair.friends, (1, -1), strict=True):
        friends += [*both, *(pair.person(sign) for _ in range(clip))]
    return pair
