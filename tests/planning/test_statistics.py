"""Graphs that are made up from numbers, and a part of a graph that stands for all of it."""

from __future__ import annotations

import numpy as np
import pytest

from hushgraph.planning import Statistics, Structure


def made(**known):
    return Statistics(**known).structure(3, 0.8, 10_000, np.random.default_rng(0))


def test_a_made_up_graph_has_the_size_and_the_degrees_that_are_stated():
    structure = made(people=2_000, mean_degree=7.0)
    assert (structure.people, structure.stands_for) == (2_000, 2_000)
    assert structure.mean_degree == pytest.approx(7.0, rel=0.02)
    alike = made(people=2_000, degrees=[8] * 50)
    assert alike.mean_degree == pytest.approx(8.0, rel=0.02)
    # Where all seek as many, nobody is a hub; by the power law some are.
    most = [np.bincount(one.edges.ravel()).max() for one in (alike, structure)]
    assert most[0] < 30 < most[1]


def test_somebody_and_those_around_them_stand_for_all(circles):
    whole = Structure(circles.edges, circles.num_nodes)
    part = whole.around_one(200, np.random.default_rng(0))
    assert (part.people, part.stands_for) == (200, 600)
    # Anybody's friends are there, where a random third of the people would have a third of them.
    assert part.mean_degree > 0.5 * whole.mean_degree
    assert whole.around_one(600, np.random.default_rng(0)) is whole


def test_components_are_met_whole_until_there_is_room_for_a_part_alone():
    # Paths of ten people: whoever is met first, ten of them are met whole and five people of another.
    ends = np.arange(1_000).reshape(-1, 10)
    paths = Structure(np.stack([ends[:, :-1].ravel(), ends[:, 1:].ravel()]), 1_000)
    for seed in range(5):
        part = paths.around_one(105, np.random.default_rng(seed))
        assert (part.people, part.edges.shape[1]) == (105, 10 * 9 + 4)
        assert paths.around_one(110, np.random.default_rng(seed)).edges.shape[1] == 11 * 9


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"people": 50, "mean_degree": 3.0}, "people must be a whole number ≥ 100"),
        ({"people": 500}, "mean_degree or degrees"),
        ({"people": 500, "mean_degree": 3.0, "degrees": [3]}, "mean_degree or degrees"),
        ({"people": 500, "mean_degree": 80.0}, r"must lie in \[0.004, 50\], got 80"),
        ({"people": 500, "degrees": [-1]}, "finite numbers ≥ 0"),
    ],
)
def test_what_no_graph_has_is_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        Statistics(**wrong)


def test_a_structure_needs_friendships():
    with pytest.raises(ValueError, match="at least one friendship"):
        Structure(np.zeros((2, 0), int), 100)
    with pytest.raises(ValueError, match="edges name node 100"):
        Structure(np.array([[0], [100]]), 100)
