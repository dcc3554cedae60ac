"""The synthetic social network. Seeds are fixed, so that no statistical test can fail by chance."""

import numpy as np
import pytest
import scipy.sparse as sp

from hushgraph.datasets import load, social
from hushgraph.datasets.digest import content_digest


def degrees(graph):
    return np.bincount(graph.edges.ravel(), minlength=graph.num_nodes)


def edge_homophily(graph):
    return np.mean(graph.labels[graph.edges[0]] == graph.labels[graph.edges[1]])


@pytest.fixture(scope="module")
def large():
    return social(n=100_000, features=300, classes=8, mean_degree=12.0, seed=3)


def test_the_same_seed_gives_the_same_graph_and_another_does_not():
    assert content_digest(social(n=500, seed=7)) == content_digest(social(n=500, seed=7))
    assert content_digest(social(n=500, seed=7)) != content_digest(social(n=500, seed=8))


def test_global_random_state_is_neither_read_nor_changed():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    social(n=200)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


def test_another_number_of_features_leaves_friends_and_labels():
    few, many = social(n=1_000, features=10), social(n=1_000, features=500)
    assert content_digest(few, features=False) == content_digest(many, features=False)


def test_the_large_graph_has_the_size_asked_for(large):
    assert (large.num_nodes, large.num_features, large.num_classes) == (100_000, 300, 8)
    assert np.bincount(large.labels).min() > 0.5 * large.num_nodes / 8


@pytest.mark.parametrize(
    "asked",
    [
        {"n": 100},
        {"n": 100, "mean_degree": 1.0},
        {"n": 100, "classes": 10, "homophily": 1.0},
        {"n": 1_000, "mean_degree": 100.0, "homophily": 1.0},
        {"n": 5_000, "mean_degree": 3.0, "homophily": 0.0},
        {"n": 100_000, "mean_degree": 4.0, "features": 20},
    ],
)
def test_the_mean_degree_is_met_within_two_percent(asked):
    graph = social(**asked)
    assert degrees(graph).mean() == pytest.approx(asked.get("mean_degree", 10.0), rel=0.02)


def test_degrees_follow_a_power_law_up_to_the_cut(large):
    degree = degrees(large)
    # Hill's estimator over the upper 2 %, short of the cut-off at √(n · mean degree) ≈ 1,095.
    start = np.quantile(degree, 0.98)
    tail = degree[degree >= start]
    exponent = 1 + tail.size / np.log(tail / (start - 0.5)).sum()
    assert 2.1 < exponent < 3.0
    assert 500 < degree.max() < 1_600
    assert np.mean(degree == 0) < 0.01


@pytest.mark.parametrize("homophily", [0.0, 0.4, 0.8, 1.0])
def test_homophily_sets_how_often_friends_share_a_label(homophily):
    graph = social(n=20_000, features=10, classes=4, homophily=homophily)
    # Labels agree with the circle's class for 0.85 + 0.15 / 4 of the people.
    agree = 0.85 + 0.15 / 4
    same_class = agree**2 + (1 - agree) ** 2 / 3
    assert edge_homophily(graph) == pytest.approx(homophily * same_class + (1 - homophily) / 4, abs=0.04)


@pytest.mark.slow
def test_friends_of_friends_are_friends_more_often_than_by_chance():
    def closed(graph):
        n = graph.num_nodes
        half = sp.coo_array((np.ones(graph.num_edges), tuple(graph.edges)), shape=(n, n)).tocsr()
        adjacency = half + half.T
        degree = degrees(graph)
        return (adjacency @ adjacency).multiply(adjacency).sum() / (degree * (degree - 1)).sum()

    assert closed(social(n=30_000, homophily=0.8)) > 1.5 * closed(social(n=30_000, homophily=0.0))


def test_likes_are_ones_about_twenty_a_person_and_fewer_where_there_is_less_to_like(large):
    assert (large.features.data == 1).all()
    assert large.features.nnz / large.num_nodes == pytest.approx(20, rel=0.1)
    small = social(n=2_000, features=50)
    assert small.features.nnz / small.num_nodes == pytest.approx(5, rel=0.2)
    assert social(n=100, features=1).num_features == 1


def test_a_class_likes_its_favourites_far_more_than_others_do(large):
    shares = np.stack([large.features[large.labels == c].mean(axis=0) for c in range(8)])
    others = (shares.sum(axis=0) - shares) / 7
    assert (((shares - others) > 0.2).sum(axis=1) >= 15).all()


def test_labels_read_off_the_likes_are_good_but_not_perfect(large):
    train, test = large.features[:50_000], large.features[50_000:]
    profile = np.stack([train[large.labels[:50_000] == c].mean(axis=0) for c in range(8)]) + 0.01
    score = test @ np.log(profile / (1 - profile)).T + np.log(1 - profile).sum(axis=1)
    assert 0.80 < np.mean(score.argmax(axis=1) == large.labels[50_000:]) < 0.95


def test_loading_by_name_passes_the_options_on():
    options = {"n": 300, "features": 20, "classes": 3, "mean_degree": 5.0, "seed": 4, "homophily": 0.5}
    assert content_digest(load("social", **options)) == content_digest(social(**options))


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("n", 99), ("n", 10_000_001), ("features", 0), ("classes", 1), ("classes", 101),
        ("mean_degree", 0.0), ("mean_degree", -1.0), ("mean_degree", 101.0), ("mean_degree", float("nan")),
        ("homophily", -0.1), ("homophily", 1.1), ("seed", -1),
    ],
)  # fmt: skip
def test_an_argument_out_of_range_is_refused_by_name(argument, value):
    with pytest.raises(ValueError, match=f"{argument} must"):
        social(**({"n": 1_000} | {argument: value}))
