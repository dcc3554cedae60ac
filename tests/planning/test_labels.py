"""Labels that are drawn have the homophily and the shares that are stated, and follow the graph."""

from __future__ import annotations

import numpy as np
import pytest

from hushgraph.planning.labels import draw_labels


@pytest.mark.parametrize("homophily", [0.5, 0.7])
@pytest.mark.parametrize("shares", [(1 / 3, 1 / 3, 1 / 3), (0.6, 0.3, 0.1)])
def test_they_have_the_homophily_and_the_shares_that_are_stated(places, homophily, shares):
    one = draw_labels(places, np.array(shares), homophily, 0.4, np.random.default_rng(0))
    assert one.homophily == pytest.approx(homophily, abs=0.01) == places.homophily(one.labels)
    # A twentieth is the deviation of the 60 to 200 people who are given a class at random, and more.
    assert np.bincount(one.labels) / one.labels.size == pytest.approx(shares, abs=0.05)


def test_they_follow_communities_further_than_friends(places, thirds):
    """Of flipped coins that reach the same homophily nothing is left at four steps."""
    one = draw_labels(places, thirds, 0.6, 0.0, np.random.default_rng(0))
    centred = np.eye(3)[one.labels] - thirds
    far = (centred * places.averaged(centred, 4)).sum() / (centred**2).sum()
    assert far > 0.25


def test_no_two_draws_are_alike_and_each_can_be_repeated(places, thirds):
    first, second, again = (
        draw_labels(places, thirds, 0.6, 0.4, np.random.default_rng(seed)).labels for seed in (0, 1, 0)
    )
    assert (first == again).all()
    assert (first != second).any()


def test_where_friends_are_strangers_labels_have_nothing_to_do_with_the_graph(places, thirds):
    one = draw_labels(places, thirds, 0.3, 0.4, np.random.default_rng(0))
    # 3,000 friendships: a deviation of 0.009; false alarm below 1e-4.
    assert one.homophily == pytest.approx(1 / 3, abs=0.04)


def test_who_has_few_friends_is_unlike_them_more_often_where_that_is_stated(places, thirds):
    few, one, other = places.degree <= 5, *places.structure.edges

    def unlike(by_degree):
        labels = draw_labels(places, thirds, 0.6, by_degree, np.random.default_rng(2)).labels
        apart = labels[one] != labels[other]
        return apart[few[one] | few[other]].mean()

    assert unlike(0.75) > unlike(0.0) + 0.03


def test_a_homophily_that_the_graph_does_not_have_is_told(places, thirds):
    assert draw_labels(places, thirds, 0.99, 0.4, np.random.default_rng(0)).homophily < 0.97
