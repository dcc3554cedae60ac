"""Lists of neighbours."""

from __future__ import annotations

import numpy as np
import pytest

import hushgraph as hg


def test_every_friendship_stands_in_two_lists():
    lists = hg.NeighborLists.from_edges([[0, 1, 0], [2, 2, 3]], 5)
    assert [lists.of(person).tolist() for person in range(5)] == [[2, 3], [2], [0, 1], [0], []]
    assert (lists.num_people, lists.num_names) == (5, 6)
    assert lists.one_sided().shape == (2, 0)


def test_one_sided_pairs_are_found():
    lists = hg.NeighborLists.from_pairs([0, 0, 1], [1, 2, 0], 3)
    assert lists.one_sided().tolist() == [[0], [2]]


def test_lists_as_people_hold_them_are_sorted():
    lists = hg.NeighborLists.from_lists([[2, 1], [0], [0]])
    assert [lists.of(person).tolist() for person in range(3)] == [[1, 2], [0], [0]]
    assert lists.edges().tolist() == [[0, 0], [1, 2]]
    assert hg.NeighborLists.from_lists([[], []]).edges().shape == (2, 0)


def test_one_sided_entries_are_reported_and_repaired_only_on_request():
    lists = hg.NeighborLists.from_lists([[1, 2], [0], [], [2]])
    with pytest.raises(ValueError, match="2 entries are one-sided: somebody names a person who does not"):
        lists.edges()
    assert lists.edges(one_sided="keep").tolist() == [[0, 0, 2], [1, 2, 3]]
    assert lists.edges(one_sided="drop").tolist() == [[0], [1]]


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([[1], [2]], "a list names somebody outside 0 … 1"),
        ([[1], [1]], "person 1 names themselves"),
        ([[1, 1], []], "the list of person 0 names somebody twice"),
        ([[0.5], []], "the list of person 0 must hold whole numbers"),
    ],
)
def test_a_list_that_cannot_be_is_named(lists, message):
    with pytest.raises(ValueError, match=message):
        hg.NeighborLists.from_lists(lists)


@pytest.mark.parametrize(
    ("owner", "named", "message"),
    [
        ([1, 0], [0, 1], "sorted by who names"),
        ([0], [1, 2], "one named person for each"),
        ([3], [0], "has a list"),
    ],
)
def test_pairs_that_make_no_lists_are_refused(owner, named, message):
    with pytest.raises(ValueError, match=message):
        hg.NeighborLists.from_pairs(owner, named, 3)


@pytest.mark.parametrize(
    ("starts", "names", "message"),
    [
        ([0, 1, 1], [2], "outside 0 … 1"),
        ([0, 1, 1], [-1], "outside 0 … 1"),
        ([0, 1, 1], [0], "person 0 names themselves"),
        ([0, 2, 2, 2], [1, 1], "person 0 names somebody twice, or is not sorted"),
        ([0, 2, 2, 2], [2, 1], "person 0 names somebody twice, or is not sorted"),
        ([0, 3, 3], [1], "names must have 3 entries"),
        ([1, 1], [], "starts must rise from 0"),
        ([0, 2, 1], [1], "starts must rise from 0"),
    ],
)
def test_lists_without_sense_are_refused(starts, names, message):
    with pytest.raises(ValueError, match=message):
        hg.NeighborLists(np.array(starts), np.array(names, np.int64))
