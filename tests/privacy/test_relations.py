"""Which graphs are neighbors, in words, and δ."""

from __future__ import annotations

import warnings

import pytest

from hushgraph.privacy.relations import checked_delta, delta_by_rule, described


@pytest.mark.parametrize(
    ("people", "delta"), [(5, 0.1), (10, 0.01), (999, 1e-3), (1000, 1e-4), (22_470, 1e-5)]
)
def test_delta_by_rule_is_the_largest_power_of_ten_below_one_over_n(people, delta):
    assert delta_by_rule(people) == delta < 1 / people <= 10 * delta


def test_a_delta_that_means_nothing_is_warned_about_with_the_reason():
    with pytest.warns(UserWarning, match="not below 1/n = 0.01: publishing the data of a few people"):
        assert checked_delta(0.01, 100) == 0.01
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert checked_delta(0.009, 100) == 0.009


def test_words_say_which_graphs_are_neighbours():
    assert "one friendship" in described("edge", 5)
    assert "add/remove" in described("node-removal", 5)
    assert "more than 5 friends" in described("node-removal", 5)
    assert "replacement" in described("node-replacement", None)
