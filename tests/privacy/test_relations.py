"""Which graphs are neighbors, in words, and δ."""

from __future__ import annotations

import warnings

import pytest

from hushgraph.privacy.relations import checked_delta, delta_by_rule, described, records


@pytest.mark.parametrize(
    ("protected", "delta"),
    [(0, 0.1), (1, 0.1), (5, 0.01), (100, 1e-3), (999, 1e-5), (10_000, 1e-6), (22_470, 1e-7)],
)
def test_delta_by_rule_is_the_largest_power_of_ten_up_to_the_bound(protected, delta):
    assert delta_by_rule(protected) == delta
    if protected > 1:
        assert delta <= protected**-1.5 * (1 + 1e-12) < 10 * delta


def test_all_people_together_are_not_told_by_the_default():
    """Of 999 people, the rule of before left δ·n at 0.999."""
    assert 999 * checked_delta(None, "node-removal", 999) < 0.01


def test_of_edges_delta_is_by_the_number_of_pairs():
    assert records("edge", 1000) == 499_500
    assert checked_delta(None, "edge", 1000) == delta_by_rule(499_500) == 1e-9


@pytest.mark.parametrize(("relation", "people"), [("node-removal", 100), ("edge", 15)])
def test_a_delta_that_means_nothing_is_warned_about_with_the_reason(relation, people):
    with pytest.warns(UserWarning, match=r"not below 1/N = 0.0\d+, N being the number of"):
        assert checked_delta(0.01, relation, people) == 0.01
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert checked_delta(0.009, relation, people) == 0.009


def test_words_say_which_graphs_are_neighbours():
    assert "one friendship" in described("edge", 5)
    assert "add/remove" in described("node-removal", 5)
    assert "nobody in either with more than 5 friends" in described("node-removal", 5, bounded=True)
    assert "at most 5 of these in either graph; everybody else" in described("node-removal", 5)
    assert "replacement" in described("node-replacement", None)
