"""How much a neighboring graph changes what is computed from a graph under a cap on friends.

Above the cap D, friendships are dropped by random priorities: one stays that is among the first D of both
its ends (:func:`hushgraph.curator.sums.capped`). Take away a person with at most D friends, whoever else
there is:

- what they keep goes, D friendships at most;
- at each friend with whom they kept one, others move up by one place, so that at most one friendship comes;
- nothing else changes: a friendship that stays, stays.

So at most 2·D kept friendships change, and each that comes has a friend of the person at one end. A person
who is replaced is taken away and put back; a friend who is theirs both times has nothing to move up. Where it
is public that nobody has more than D friends, nothing is dropped and nothing moves up.

The referee (:mod:`hushgraph.audit.referee`) checks these by trying all small graphs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hushgraph.privacy.relations import NeighboringRelation


@dataclass(frozen=True, slots=True)
class Changes:
    """What a neighboring graph changes, at most.

    Attributes:
        relation: which graphs are neighbors.
        max_degree: D, the public cap.
        bounded: whether it is public that nobody has more friends than that.
    """

    relation: NeighboringRelation
    max_degree: int
    bounded: bool = False

    @property
    def pairs(self) -> int:
        """How many pairs are friends in one of the two graphs alone."""
        return 1 if self.relation == "edge" else self._times * self._moves * self.max_degree

    @property
    def samples(self) -> int:
        """How many people's inputs are others, where inputs are own and neighbors' data."""
        return 2 if self.relation == "edge" else 1 + self.pairs

    @property
    def l1_of_degrees(self) -> int:
        """Of everybody's number of friends: in L1 norm.

        With d friends before and d' after, it is |d - d'| of the person's own and at most d + d' of others':
        a friend who loses the person and moves somebody up has as many as before, and that somebody has one
        more.
        """
        return 2 if self.relation == "edge" else 2 * self.max_degree

    @property
    def l1_of_sums(self) -> int:
        """Of sums over neighbors of rows of L1 norm 1: in L1 norm; every pair is in two sums."""
        return 2 * self.pairs

    @property
    def l2_of_sums(self) -> float:
        """Of sums over neighbors of rows of L2 norm 1, where a sum is clipped to c = √D: in L2 norm.

        An edge changes two rows by 1. Taking away a person changes their own row by c and, if nothing moves
        up, D others by 1. If they are replaced and keep j friends, their own row changes by 2·c and no more
        than 2·(D - j), j rows by 2 and 2·(D - j) by 1: the most is at D - j = c.

        Where friendships move up, each of D friends loses one message and gets one, which is 2; and D other
        ends get one each, all of them maybe the same few. A row cannot change by more than 2·c, so that one
        that changes by 2 already adds at most 2·c + 2 for each further message to the sum of squares, and
        one that does not, 2·c: (2·c + 6)·D for all of them. In the other direction it is the same again.
        """
        if self.relation == "edge":
            return math.sqrt(2)
        degree, clip = self.max_degree, math.sqrt(self.max_degree)
        own = (self._times * clip) ** 2
        if not self.bounded:
            return math.sqrt(own + self._times * (2 * clip + 6) * degree)
        return math.sqrt(own + (degree if self._times == 1 else 4 * degree - 2 * clip))

    @property
    def _times(self) -> int:
        """How often a person is taken away or put in."""
        return 1 if self.relation == "node-removal" else 2

    @property
    def _moves(self) -> int:
        """How many kept friendships change for each of a person's."""
        return 1 if self.bounded else 2


@dataclass(frozen=True, slots=True)
class BallotChanges:
    """What a neighboring graph changes of ballots, of whoever is not queried: no cap on friends is needed.

    Somebody who is not queried votes in up to ``votes`` rows and changes nobody else's choice, since others
    choose among queried friends. One who is replaced takes these votes back and gives others. Under the
    relation ``"edge"`` there is no choice: a friendship is one vote, in one row.

    Attributes:
        relation: which graphs are neighbors.
        votes: how many queried friends somebody votes for.
    """

    relation: NeighboringRelation
    votes: int

    @property
    def ballots(self) -> int:
        """Of all rows together: in L1 norm."""
        return 1 if self.relation == "edge" else self._times * self.votes

    @property
    def matchings(self) -> int:
        """Of class sizes and two matchings: in L1 norm.

        Whoever goes takes one from the size of their class, and one at most from either matching: what is
        left of a largest one without their friendship is a matching of the others. Whoever is replaced takes
        one from a class and gives it to another, and a matching that loses one and gains one differs by one.
        """
        return 2 + self._times

    @property
    def gradients(self) -> int:
        """Of a sum of gradients, each clipped: in L2 norm, in clips."""
        return self._times

    @property
    def _times(self) -> int:
        """How often a person is taken away or put in."""
        return 2 if self.relation == "node-replacement" else 1
