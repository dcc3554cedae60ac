"""What a mechanism accepts as features; seen through the mechanisms, which all take them the same way."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp

import hushgraph as hg
from hushgraph.mechanisms.values import FeatureValues

PRIVATE = 31.4159
mechanisms = pytest.mark.parametrize(
    "make",
    [hg.MultiBit, hg.OneBit, hg.Laplace, partial(hg.AnalyticGaussian, delta=1e-5)],
    ids=["MultiBit", "OneBit", "Laplace", "AnalyticGaussian"],
)
forms = pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array], ids=["dense", "csr", "csc"])


def estimate(mechanism, features):
    """What a server concludes, with one seed, as a dense matrix."""
    concluded = mechanism.estimate(mechanism.randomize(features, np.random.default_rng(5)))
    return concluded.toarray() if hasattr(concluded, "toarray") else concluded


@mechanisms
@forms
@pytest.mark.parametrize("bad", [PRIVATE, -PRIVATE])
def test_a_value_outside_the_range_is_refused_by_its_place_and_not_shown(make, form, bad, rng):
    features = np.zeros((4, 3))
    features[2, 1] = bad
    with pytest.raises(
        ValueError, match=r"features must lie in \[0, 1\]; features\[2, 1\] does not"
    ) as refused:
        make(1.0).randomize(form(features), rng)
    assert "31" not in str(refused.value)


@mechanisms
def test_one_persons_value_outside_the_range_is_refused_too(make, rng):
    with pytest.raises(ValueError, match=r"features\[2\] does not") as refused:
        make(1.0).randomize([0.0, 1.0, PRIVATE], rng)
    assert "31" not in str(refused.value)


@mechanisms
@forms
@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused_even_with_clipping(make, form, clip, bad, rng):
    features = np.ones((4, 3))
    features[3, 0] = bad
    with pytest.raises(ValueError, match=r"features must be finite; features\[3, 0\] is not"):
        make(1.0, clip=clip).randomize(form(features), rng)


@mechanisms
@forms
def test_clipping_gives_the_reports_of_the_nearest_end(make, form):
    features = np.array([[0.0, 7.0, -3.0], [0.5, 1.0, 0.0]])
    mechanism = make(2.0, clip=True)
    np.testing.assert_array_equal(
        estimate(mechanism, form(features)), estimate(mechanism, form(np.clip(features, 0.0, 1.0)))
    )


@mechanisms
@pytest.mark.parametrize(("low", "high"), [(1.0, 2.0), (-2.0, -1.0)])
def test_zeros_that_are_not_stored_are_values_too(make, low, high, rng):
    middle = (low + high) / 2
    sparse = sp.csr_array(np.array([[middle, 0.0], [middle, middle]]))
    with pytest.raises(ValueError, match="a zero that is not stored does not"):
        make(1.0, low=low, high=high).randomize(sparse, rng)
    make(1.0, low=low, high=high, clip=True).randomize(sparse, rng)
    make(1.0, low=low, high=high).randomize(sp.csr_array(np.full((2, 2), middle)), rng)


@mechanisms
@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3, 0), (2, 3, 4)])
def test_features_of_another_shape_are_refused(make, shape, rng):
    with pytest.raises(ValueError, match=r"features must have shape \(d,\) or \(n, d\)"):
        make(1.0).randomize(np.zeros(shape), rng)


@mechanisms
@pytest.mark.parametrize("values", [["a", "b"], [None, 1.0], [1j, 0], np.array(["2020-01-01"], "M8[D]")])
def test_features_that_are_no_numbers_are_refused(make, values, rng):
    with pytest.raises(TypeError, match="features must be numbers"):
        make(1.0).randomize(values, rng)


@mechanisms
@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int32, np.float32, np.float64])
@forms
def test_any_type_of_number_gives_the_same_reports(make, form, dtype):
    features = np.array([[0, 1, 1], [1, 0, 0], [0, 0, 0]])
    mechanism = make(2.0, low=-1, high=1)
    np.testing.assert_array_equal(
        estimate(mechanism, features.astype(float)), estimate(mechanism, form(features.astype(dtype)))
    )


@mechanisms
def test_entries_that_stand_twice_in_a_sparse_matrix_add_up(make, rng):
    twice = sp.csr_array((np.array([0.6, 0.7]), np.array([0, 0]), np.array([0, 2])), shape=(1, 2))
    with pytest.raises(ValueError, match=r"features\[0, 0\] does not"):
        make(1.0).randomize(twice, rng)
    assert twice.nnz == 2


def test_sparse_indices_may_stand_in_any_order_and_are_left_alone():
    features = np.array([[0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0]])
    shuffled = sp.csr_array((np.ones(4), np.array([3, 2, 3, 0]), np.array([0, 2, 4])), shape=(2, 4))
    columns = np.tile(np.arange(4), (2, 1))
    ((_, picked),) = FeatureValues(shuffled, 0.0, 1.0, clip=False).at(columns)
    np.testing.assert_array_equal(picked, features)
    assert shuffled.indices.tolist() == [3, 2, 3, 0]


def test_rows_without_any_stored_value_are_zeros():
    empty = sp.csr_array((3, 4))
    ((_, picked),) = FeatureValues(empty, -1.0, 1.0, clip=False).at(np.zeros((3, 2), np.int64))
    np.testing.assert_array_equal(picked, np.zeros((3, 2)))


def test_the_input_is_left_alone(rng):
    features = np.array([[0.0, 7.0]])
    hg.OneBit(1.0, clip=True).randomize(features, rng)
    np.testing.assert_array_equal(features, [[0.0, 7.0]])


@pytest.mark.parametrize("kind", ["coo", "csc", "lil", "dok", "csr"])
def test_every_sparse_format_is_read(kind):
    dense = np.array([[0.0, 1.0, 0.5], [0.25, 0.0, 0.0]])
    values = FeatureValues(sp.csr_array(dense).asformat(kind), 0.0, 1.0, clip=False)
    ((_, picked),) = values.at(np.array([[0, 1, 2], [0, 1, 2]]))
    np.testing.assert_array_equal(picked, dense)


def test_one_person_may_be_sparse():
    person = sp.coo_array(np.array([0.0, 1.0, 0.5]))
    values = FeatureValues(person, 0.0, 1.0, clip=False)
    assert values.single
    ((_, picked),) = values.at(np.array([[2, 1]]))
    assert picked.tolist() == [[0.5, 1.0]]
