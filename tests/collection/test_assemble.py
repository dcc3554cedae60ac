"""From reports to a collection: who there is, who trains, which graph."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from tests.collection.asked import ASKED, PEOPLE, VALUES, batch, good

import hushgraph as hg

PATH = np.array([[0, 1, 2], [1, 2, 3]])
UNCOUNTED = dataclasses.replace(VALUES, num_people=None)


def values(campaign=UNCOUNTED):
    """The reports of persons 0 to 9 to a campaign whose graph is public."""
    return [json.dumps(good(person, campaign)) for person in range(10)]


def test_the_number_of_people_is_what_campaign_ids_or_caller_say():
    assert hg.assemble(VALUES, values(VALUES), edges=PATH).num_nodes == PEOPLE
    assert hg.assemble(UNCOUNTED, values(), edges=PATH, num_people=12).num_nodes == 12
    names = [f"person {number}" for number in range(11)]
    collected = hg.assemble(UNCOUNTED, values(), edges=PATH, ids=names)
    assert collected.num_nodes == 11
    assert collected.ids.tolist() == names


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({}, "num_people is needed: neither the campaign nor ids"),
        ({"ids": ["a", "b"], "num_people": 12}, "how many people are there. ids says 2, num_people says 12"),
        ({"ids": ["a", "b", "a"]}, "ids must be a list that names everybody once"),
        ({"ids": [["a"], ["b"]]}, "ids must be a list that names everybody once"),
        ({"num_people": 0}, "num_people must be a whole number ≥ 1"),
    ],
)
def test_if_it_is_unclear_who_there_is_that_is_said(how, message):
    with pytest.raises(ValueError, match=message):
        hg.assemble(UNCOUNTED, values(), edges=PATH, **how)


def test_only_a_campaign_says_what_was_asked():
    with pytest.raises(TypeError, match="campaign must be a Campaign, got str"):
        hg.assemble(ASKED.to_json(), batch())


def test_the_graph_is_public_or_reported_and_never_both():
    with pytest.raises(ValueError, match="edges are needed: the campaign asks for no lists"):
        hg.assemble(VALUES, values(VALUES))
    with pytest.raises(ValueError, match="edges must not be given where people report their lists"):
        hg.assemble(ASKED, batch(), edges=PATH)


def test_a_public_graph_is_brought_into_form():
    both_ways = np.concatenate([PATH[::-1], PATH, [[5], [5]]], axis=1)
    assert hg.assemble(VALUES, values(VALUES), edges=both_ways).edges.tolist() == PATH.tolist()


def test_without_any_report_there_is_nothing_to_learn_from():
    with pytest.raises(ValueError, match="there is no report to learn from"):
        hg.assemble(ASKED, [])


def test_without_a_split_nobody_trains():
    collected = hg.assemble(ASKED, batch())
    assert collected.train.size == collected.val.size == 0


def test_a_share_of_those_who_gave_a_label_validates_and_it_is_the_same_one_each_time():
    first, second = (hg.assemble(ASKED, batch(), split=0.3) for _ in range(2))
    assert (first.train.size, first.val.size) == (7, 3)
    assert sorted([*first.train, *first.val]) == list(range(10))
    np.testing.assert_array_equal(first.val, second.val)


def test_of_a_split_only_those_who_gave_a_label_take_part():
    split = hg.Split(train=np.array([25, 3, 1]), val=np.array([4, 29]), test=np.array([5]))
    collected = hg.assemble(ASKED, batch(), split=split)
    assert (collected.train.tolist(), collected.val.tolist()) == ([3, 1], [4])
