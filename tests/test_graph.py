import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import hushgraph as hg

FEATURES = [[0.0, 1.0], [0.5, 2.0], [1.0, 3.0], [0.0, 5.0]]
LABELS = [0, 1, -1, 2]


def make(**changed):
    return hg.Graph(**{"edges": [[0, 1], [1, 2]], "features": FEATURES, "labels": LABELS} | changed)


def dense(features):
    return features.toarray() if sp.issparse(features) else features


def test_each_undirected_edge_is_kept_once_and_what_is_dropped_is_counted():
    graph = make(edges=[[2, 0, 1, 3, 1, 2], [1, 1, 0, 3, 2, 2]])
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.edges.dtype == np.int32
    assert (graph.dropped_duplicates, graph.dropped_self_loops) == (2, 2)


def test_people_without_an_edge_are_kept():
    graph = make(edges=[[0], [1]])
    assert (graph.num_nodes, graph.num_edges) == (4, 1)
    assert make(edges=np.empty((2, 0), int)).num_edges == make(edges=[]).num_edges == 0


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=30))
def test_canonical_edges_are_the_set_of_pairs(pairs):
    graph = hg.Graph(np.array(pairs, int).reshape(-1, 2).T, np.zeros((6, 1)), [0, 1, 0, 1, 0, 1])
    expected = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    assert list(zip(*graph.edges.tolist(), strict=True)) == expected
    assert graph.dropped_self_loops == sum(a == b for a, b in pairs)
    assert graph.num_edges + graph.dropped_self_loops + graph.dropped_duplicates == len(pairs)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"edges": [[0], [4]]}, "edges name node 4, but nodes are numbered 0 to 3"),
        ({"edges": [[-1], [0]]}, "edges name node -1"),
        ({"edges": [[0, 1]]}, r"edges must have shape \(2, E\)"),
        ({"edges": [[0, 1], [1, 2], [2, 3]]}, r"edges must have shape \(2, E\)"),
        ({"edges": [0, 1]}, r"edges must have shape \(2, E\)"),
        ({"edges": [[0.0], [1.0]]}, "edges must be whole numbers"),
        ({"edges": [["a"], ["b"]]}, "edges must be whole numbers"),
        ({"features": [0.0, 1.0, 2.0, 3.0]}, r"features must have shape \(n, d\)"),
        ({"features": None, "labels": []}, r"features must have shape \(n, d\) with n ≥ 1, or be None"),
        ({"features": None, "labels": [[0], [1], [2], [0]]}, r"labels must have shape \(4,\)"),
        ({"features": np.empty((0, 2)), "labels": []}, r"features must have shape \(n, d\)"),
        ({"features": [[np.nan, 0.0], *FEATURES[1:]]}, "features must be finite"),
        ({"features": [[np.inf, 0.0], *FEATURES[1:]]}, "features must be finite"),
        ({"features": sp.csr_array([[np.nan, 0.0], *FEATURES[1:]])}, "features must be finite"),
        ({"labels": [0, 1, 2]}, r"labels must have shape \(4,\)"),
        ({"labels": [[0], [1], [2], [0]]}, r"labels must have shape \(4,\)"),
        ({"labels": [0.0, 1.0, 2.0, 0.0]}, "labels must be whole numbers"),
        ({"labels": [True, False, True, False]}, "labels must be whole numbers"),
        ({"labels": ["a", "b", "c", "a"]}, "labels must be whole numbers"),
        ({"labels": [0, 0, 0, 0]}, "at least two classes"),
        (
            {"labels": [-1, -1, -1, -1]},
            "name a class for somebody, or num_classes or classes must say which there are",
        ),
        ({"labels": [0, 1, 2, 3], "num_classes": 3}, "labels must lie in 0 … 2"),
        ({"labels": [0, 1, -2, 0]}, "labels must lie in 0 … c - 1"),
        ({"num_classes": -1}, "num_classes"),
        ({"labels": [0, 1, 3, 0]}, "labels must use every number from 0 to 3, or num_classes or classes"),
        ({"classes": ("a", "b", "a")}, "classes must be 3 different names"),
        ({"feature_names": ("age",)}, "feature_names must be 2, got 1"),
        ({"ids": ["ann", "bob", "cid"]}, "ids must name each of 4 people once"),
        ({"ids": ["ann", "bob", "cid", "ann"]}, "ids must name each of 4 people once"),
    ],
)
def test_what_is_no_graph_is_refused(changed, complaint):
    with pytest.raises(ValueError, match=complaint):
        make(**changed)


@pytest.mark.parametrize("nothing", [None, np.empty((4, 0)), sp.csr_array((4, 0))])
def test_people_need_no_features(nothing):
    graph = make(features=nothing)
    assert (graph.num_nodes, graph.num_features, graph.features.shape) == (4, 0, (4, 0))
    # Nothing was read off anybody, so that no guarantee becomes a claim.
    assert not graph.rescaled().ranges_from_data


def test_features_that_are_no_numbers_are_refused():
    with pytest.raises((TypeError, ValueError)):
        make(features=[["a", "b"]] * 4)


def test_the_number_of_classes_is_the_largest_label_plus_one_or_what_is_said():
    assert make().num_classes == 3
    assert make(num_classes=7).num_classes == 7


@pytest.mark.parametrize("stated", [{"num_classes": 2}, {"classes": ("cat", "dog")}])
def test_with_a_public_list_of_classes_nobody_needs_a_label(stated):
    """An error would tell that the only one who had one is gone."""
    assert (
        make(labels=[-1] * 4, **stated).num_classes == make(labels=[0, -1, -1, -1], **stated).num_classes == 2
    )


def test_a_graph_says_its_sizes():
    graph = make(name="four")
    assert (graph.num_nodes, graph.num_features, graph.num_edges) == (4, 2, 2)
    assert repr(graph) == "Graph('four', 4 nodes, 2 edges, 2 features, 3 classes)"


def test_sparse_features_stay_sparse_and_their_duplicates_add_up():
    twice = sp.coo_array((np.array([0.25, 0.25, 1.0]), ([0, 0, 3], [1, 1, 0])), shape=(4, 2)).tocsr()
    graph = make(features=twice)
    assert sp.issparse(graph.features)
    assert graph.features.dtype == np.float32
    np.testing.assert_array_equal(graph.features.toarray(), [[0, 0.5], [0, 0], [0, 0], [1, 0]])


def test_a_graph_cannot_be_changed():
    with pytest.raises(AttributeError):
        make().labels = [0, 0, 0, 0]


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_public_ranges_map_to_0_and_1_and_keep_the_guarantee(form, rng):
    graph = make(features=form(FEATURES))
    scaled = graph.rescaled(low=[0.0, 0.0], high=[2.0, 5.0])
    np.testing.assert_allclose(dense(scaled.features), np.array(FEATURES) / [2, 5], rtol=1e-6)
    assert sp.issparse(scaled.features) == sp.issparse(graph.features)
    assert not scaled.ranges_from_data
    assert dense(scaled.features).dtype == np.float32
    np.testing.assert_array_equal(dense(graph.features), np.array(FEATURES, np.float32))


def test_one_public_range_may_stand_for_all_columns():
    np.testing.assert_allclose(
        make().rescaled(low=-5, high=5).features, (np.array(FEATURES) + 5) / 10, rtol=1e-6
    )


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_ranges_from_the_data_are_remembered_as_such(form):
    scaled = make(features=form(FEATURES)).rescaled()
    np.testing.assert_allclose(dense(scaled.features).min(axis=0), 0)
    np.testing.assert_allclose(dense(scaled.features).max(axis=0), 1)
    assert scaled.ranges_from_data
    assert scaled.rescaled(0.0, 1.0).ranges_from_data


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("constant", [0.0, 4.0, -1.0])
def test_a_constant_column_becomes_zero(form, constant):
    features = np.column_stack([np.full(4, constant), [0.0, 1.0, 2.0, 4.0]])
    scaled = dense(make(features=form(features)).rescaled().features)
    np.testing.assert_allclose(scaled, np.column_stack([np.zeros(4), [0.0, 0.25, 0.5, 1.0]]))


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("from_data", [False, True])
def test_values_inside_the_public_range_are_never_pushed_outside_by_rounding(form, from_data, rng):
    low = np.concatenate([[0.7, 1000.1, -0.3, 0.0, 0.0], rng.normal(0, 100, 60)])
    width = np.concatenate([[0.2, 1.0, 0.4, 0.1, 3.3], rng.random(60) + 1e-2])
    positions = np.concatenate([np.zeros((1, 65)), np.ones((1, 65)), rng.random((2, 65))])
    graph = make(features=form(np.clip(low + positions * width, low, low + width)))
    scaled = graph.rescaled() if from_data else graph.rescaled(low, low + width)
    hg.MultiBit(1.0).randomize(scaled.features, rng)
    np.testing.assert_allclose(dense(scaled.features), positions, atol=2e-3)


def test_a_value_outside_the_public_range_is_left_for_the_mechanism_to_refuse(rng):
    scaled = make().rescaled(low=0.0, high=4.0)
    assert scaled.features.max() == 1.25
    with pytest.raises(ValueError, match="features must lie in"):
        hg.MultiBit(1.0).randomize(scaled.features, rng)


@pytest.mark.parametrize(
    ("low", "high", "complaint"),
    [
        (0.0, None, "both low and high"),
        (None, 1.0, "both low and high"),
        ([0.0, 2.0], [1.0, 1.0], "low ≤ high"),
        (np.nan, 1.0, "finite"),
        (0.0, np.inf, "finite"),
    ],
)
def test_a_senseless_range_is_refused(low, high, complaint):
    with pytest.raises(ValueError, match=complaint):
        make().rescaled(low, high)


def test_rescaling_keeps_everything_else():
    graph = make(edges=[[0, 1, 0], [1, 0, 0]], name="four", num_classes=5)
    scaled = graph.rescaled()
    for field in ("num_classes", "name", "dropped_self_loops", "dropped_duplicates"):
        assert getattr(scaled, field) == getattr(graph, field)
    np.testing.assert_array_equal(scaled.edges, graph.edges)
    np.testing.assert_array_equal(scaled.labels, graph.labels)


@pytest.mark.parametrize("features", [[["alice@home"]] * 4, np.full((4, 1), "secret"), np.full((4, 1), 1j)])
def test_features_that_are_no_numbers_are_refused_without_repeating_one(features):
    with pytest.raises(TypeError, match="features must be numbers, got an array of") as caught:
        hg.Graph([[0], [1]], features, [0, 1, 0, 1])
    assert "alice" not in str(caught.value)
    assert "secret" not in str(caught.value)
