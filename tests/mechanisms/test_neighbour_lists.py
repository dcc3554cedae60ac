"""Lists of neighbours."""

from __future__ import annotations

import numpy as np
import pytest

import hushgraph as hg


def test_every_friendship_stands_in_two_lists():
    lists = hg.NeighbourLists.from_edges([[0, 1, 0], [2, 2, 3]], 5)
    assert [lists.of(person).tolist() for person in range(5)] == [[2, 3], [2], [0, 1], [0], []]
    assert (lists.num_people, lists.num_names) == (5, 6)
    assert lists.one_sided().shape == (2, 0)


def test_one_sided_pairs_are_found():
    lists = hg.NeighbourLists.from_pairs([0, 0, 1], [1, 2, 0], 3)
    assert lists.one_sided().tolist() == [[0], [2]]


@pytest.mark.parametrize(
    ("starts", "names", "message"),
    [
        ([0, 1, 1], [2], "outside 0 … 1"),
        ([0, 1, 1], [-1], "outside 0 … 1"),
        ([0, 1, 1], [0], "person 0 names themselves"),
        ([0, 2, 2, 2], [1, 1], "person 0 is not sorted, or names somebody twice"),
        ([0, 2, 2, 2], [2, 1], "person 0 is not sorted"),
        ([0, 3, 3], [1], "names must have 3 entries"),
        ([1, 1], [], "starts must rise from 0"),
        ([0, 2, 1], [1], "starts must rise from 0"),
    ],
)
def test_lists_without_sense_are_refused(starts, names, message):
    with pytest.raises(ValueError, match=message):
        hg.NeighbourLists(np.array(starts), np.array(names, np.int64))
