"""The cap on degrees, and what one person moves under it."""

from __future__ import annotations

import numpy as np
import pytest

from hushgraph.curator.sums import capped


def test_nobody_keeps_more_than_the_cap(graph, rng):
    assert np.bincount(graph.edges.ravel(), minlength=40).max() > 3
    kept = capped(graph.edges, 40, 3, rng.permutation(graph.num_edges))
    assert np.bincount(kept.ravel(), minlength=40).max() == 3
    known = set(zip(*graph.edges.tolist(), strict=True))
    assert set(zip(*kept.tolist(), strict=True)) < known


def test_below_the_cap_nothing_is_dropped(graph, rng):
    kept = capped(graph.edges, 40, 40, rng.permutation(graph.num_edges))
    assert (kept == graph.edges).all()


def test_a_graph_without_edges_stays_so():
    assert capped(np.empty((2, 0), np.int32), 5, 2, np.empty(0, np.uint64)).shape == (2, 0)


def test_places_are_in_the_whole_list_and_not_in_what_others_left():
    """1 has no room for 0 but stands in 0's list: 0 keeps nobody, where a greedy pass would keep 2."""
    edges = np.array([[0, 0, 1], [1, 2, 3]], np.int32)
    kept = capped(edges, 4, 1, np.array([1, 2, 0], np.uint64))
    assert kept.T.tolist() == [[1, 3]]


PEOPLE = 7


def kept_pairs(friends, priorities, cap):
    """The kept graph as a matrix, of one given as a matrix; every pair has its own priority."""
    edges = np.stack(np.nonzero(np.triu(friends))).astype(np.int32)
    left = capped(edges, PEOPLE, cap, priorities[tuple(edges)])
    kept = np.zeros((PEOPLE, PEOPLE), int)
    kept[tuple(left)] = 1
    return kept + kept.T


def random_graphs(cap, count):
    """Graphs of any density with their priorities, and friends of person 0, no more than the cap."""
    rng = np.random.default_rng(cap)
    for _ in range(count):
        friends = np.triu(rng.random((PEOPLE, PEOPLE)) < rng.uniform(0.1, 0.9), 1)
        lists = []
        for _ in range(2):
            few = rng.permutation(np.arange(1, PEOPLE))[: rng.integers(0, cap + 1)]
            lists.append(np.isin(np.arange(PEOPLE), few))
        yield friends, lists, rng.permutation(PEOPLE**2).reshape(PEOPLE, PEOPLE).astype(np.uint64)


def with_friends(friends, those):
    changed = friends.copy()
    changed[0] = those
    return changed


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_one_person_changes_few_friendships_whoever_else_is_there(cap):
    """At most 2·D of them by going and 4·D by being another, degrees by 2·D in sum; and so many are found."""
    most = dict.fromkeys(("gone", "replaced", "degrees", "degrees replaced"), 0)
    for friends, (before, after), priorities in random_graphs(cap, 4000):
        here, there, nowhere = (
            kept_pairs(with_friends(friends, some), priorities, cap)
            for some in (before, after, np.zeros(PEOPLE, bool))
        )
        for name, other in (("gone", nowhere), ("replaced", there)):
            most[name] = max(most[name], np.abs(here - other).sum() // 2)
            degrees = "degrees" if name == "gone" else "degrees replaced"
            most[degrees] = max(most[degrees], np.abs((here - other).sum(axis=0)).sum())
        # What stays, stays: only the person's own friendships go.
        assert (here[1:, 1:] <= nowhere[1:, 1:]).all()
    reached = {"gone": 2 * cap, "replaced": 4 * cap, "degrees": 2 * cap, "degrees replaced": 2 * cap}
    assert all(most[name] <= reached[name] for name in most)
    if cap == 1:
        assert most == reached
    assert most["gone"] >= 2 * cap - (cap == 3)


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_one_friendship_changes_at_most_three(cap):
    """Why edges are protected without a cap: there, one changes one."""
    most = 0
    for friends, _, priorities in random_graphs(cap, 2000):
        other = friends.copy()
        other[0, 1] = not other[0, 1]
        changed = kept_pairs(friends, priorities, cap) != kept_pairs(other, priorities, cap)
        most = max(most, changed.sum() // 2)
    assert most == 3


def test_a_hub_is_not_covered():
    """A hub over disjoint pairs: with one friend each, all pairs come back when it goes."""
    pairs = 40
    edges = np.array([[2 * k + 1, 2 * k + 2] for k in range(pairs)], np.int32).T
    spokes = np.stack([np.zeros(2 * pairs, np.int32), np.arange(1, 2 * pairs + 1, dtype=np.int32)])
    both = np.concatenate([spokes, edges], axis=1)
    kept = capped(both, 2 * pairs + 1, 1, np.arange(both.shape[1], dtype=np.uint64))
    assert kept.shape[1] == 1
    assert capped(edges, 2 * pairs + 1, 1, np.arange(pairs, dtype=np.uint64)).shape[1] == pairs
