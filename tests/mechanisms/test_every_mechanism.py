"""What holds for every mechanism alike."""

import copy
import dataclasses
import math
import pickle
import random
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp

import hushgraph as hg
from hushgraph.mechanisms.protocol import FeatureMechanism, Mechanism

FEATURES = [hg.MultiBit, hg.OneBit, hg.Laplace, partial(hg.AnalyticGaussian, delta=1e-5)]
NAMES = ["MultiBit", "OneBit", "Laplace", "AnalyticGaussian"]

for_features = pytest.mark.parametrize("make", FEATURES, ids=NAMES)
for_all = pytest.mark.parametrize(
    "make", [*FEATURES, partial(hg.RandomizedResponse, num_classes=3)], ids=[*NAMES, "RandomizedResponse"]
)


def answer(mechanism, rng, people=20):
    """The reports of some people, as one flat list of numbers."""
    if isinstance(mechanism, hg.RandomizedResponse):
        return mechanism.randomize(np.arange(people) % 3, rng).tolist()
    reports = mechanism.randomize(np.linspace(0, 1, people * 6).reshape(people, 6), rng)
    if isinstance(mechanism, hg.MultiBit):
        return [*reports.columns.ravel().tolist(), *reports.signs.ravel().tolist()]
    return reports.ravel().tolist()


@for_all
@pytest.mark.parametrize("epsilon_given", [0, 0.0, -1, -math.inf, math.nan])
def test_an_epsilon_that_is_not_above_0_is_refused(make, epsilon_given):
    with pytest.raises(ValueError, match="epsilon must be above 0"):
        make(epsilon_given)


@for_all
@pytest.mark.parametrize(
    "epsilon_given", [True, np.True_, "1", None, [1.0], np.array([1.0]), 1j, np.complex128(1)]
)
def test_an_epsilon_that_is_no_number_is_refused(make, epsilon_given):
    with pytest.raises(TypeError, match="epsilon must be a number"):
        make(epsilon_given)


@for_all
def test_epsilon_has_no_default(make):
    with pytest.raises(TypeError, match="epsilon"):
        make()


@for_all
def test_the_guarantee_states_epsilon_and_what_it_rests_on(make, epsilon):
    guarantee = make(epsilon).guarantee
    assert guarantee.epsilon == epsilon
    assert (guarantee.status, guarantee.gaps) == ("proven", ())
    assert "each person answers once" in guarantee.conditions
    assert guarantee.delta == getattr(make(epsilon), "delta", 0.0)


@for_features
def test_the_guarantee_says_that_the_range_must_be_public(make):
    assert "the range [-2, 5] is public" in make(1.0, low=-2.0, high=5.0).guarantee.conditions


@for_all
def test_an_infinite_epsilon_is_stated_as_no_protection(make):
    guarantee = make(math.inf).guarantee
    assert guarantee.status == "none"
    assert guarantee.epsilon == math.inf
    assert "not protected" in str(guarantee)


@for_features
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, bool])
def test_an_infinite_epsilon_randomises_nothing(make, form, dtype, rng):
    features = np.array([[0, 1, 0], [1, 1, 0]], dtype)
    before = rng.bit_generator.state
    mechanism = make(math.inf)
    estimate = mechanism.estimate(mechanism.randomize(form(features), rng))
    np.testing.assert_array_equal(estimate.toarray() if hasattr(estimate, "toarray") else estimate, features)
    assert rng.bit_generator.state == before
    assert not mechanism.variance(features.astype(float), 3).any()


@for_features
def test_an_infinite_epsilon_sends_a_copy_that_is_clipped_if_asked(make, rng):
    for form in (np.asarray, sp.csr_array):
        features = form(np.array([[0.0, 7.0], [-7.0, 0.5]]))
        report = make(math.inf, clip=True).randomize(features, rng)
        dense = report.toarray() if sp.issparse(report) else report
        np.testing.assert_array_equal(dense, [[0.0, 1.0], [0.0, 0.5]])
        assert abs(features).max() == 7


@for_features
def test_one_person_sends_a_row_without_randomisation_too(make, rng):
    mechanism = make(math.inf)
    np.testing.assert_array_equal(
        mechanism.estimate(mechanism.randomize([0.0, 0.5, 1.0], rng)), [0.0, 0.5, 1.0]
    )


@for_all
def test_a_mechanism_cannot_be_changed(make):
    mechanism = make(1.0)
    for field in dataclasses.fields(mechanism):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(mechanism, field.name, 5.0)
    assert not hasattr(mechanism, "__dict__")


@for_all
def test_equal_mechanisms_are_one_key(make):
    assert make(1.0) == make(1.0) != make(2.0)
    assert (
        len({make(1.0), make(1.0), make(2.0), copy.copy(make(1.0)), pickle.loads(pickle.dumps(make(1.0)))})
        == 2
    )


@for_all
def test_each_call_spends_the_same_epsilon(make):
    used, fresh = make(1.0), make(1.0)
    rng = np.random.default_rng(0)
    for _ in range(20):
        answer(used, rng)
    assert used == fresh
    assert used.guarantee == fresh.guarantee
    assert answer(used, np.random.default_rng(1)) == answer(fresh, np.random.default_rng(1))


@for_all
def test_a_seed_gives_the_same_reports_and_another_seed_others(make):
    first, again, other = (answer(make(1.0), np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@for_all
def test_a_second_answer_from_the_same_generator_is_another(make, rng):
    assert answer(make(1.0), rng) != answer(make(1.0), rng)


@for_all
def test_secure_randomness_answers_too(make):
    assert np.isfinite(answer(make(1.0), hg.SecureRandom())).all()


WRONG = [None, 0, "seed", np.random, np.random.RandomState(0), random.Random(0)]


@for_all
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
def test_randomness_of_the_wrong_type_is_refused(make, wrong):
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator or a SecureRandom"):
        answer(make(1.0), wrong)


@pytest.mark.parametrize("m", [1, 5, 6], ids=["Floyd", "shuffle", "all"])
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
def test_randomness_of_the_wrong_type_is_refused_however_columns_are_drawn(m, wrong):
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator or a SecureRandom"):
        answer(hg.MultiBit(1.0, m=m), wrong)


@for_features
@pytest.mark.parametrize(
    ("low", "high"),
    [(1.0, 1.0), (1.0, 0.0), (math.nan, 1.0), (0.0, math.inf), (-math.inf, 0.0), (-1e308, 1e308)],
)
def test_a_range_without_a_finite_width_is_refused(make, low, high):
    with pytest.raises(ValueError, match="low and high must be finite"):
        make(1.0, low=low, high=high)


@for_features
@pytest.mark.parametrize(
    ("low", "high", "name"), [("0", 1.0, "low"), (0.0, None, "high"), (True, 2.0, "low")]
)
def test_a_range_must_be_numbers(make, low, high, name):
    with pytest.raises(TypeError, match=f"{name} must be a number"):
        make(1.0, low=low, high=high)


@for_all
def test_every_mechanism_is_one_by_the_protocol(make):
    assert isinstance(make(1.0), Mechanism)
    assert isinstance(hg.AdjacencyRandomizedResponse(1.0), Mechanism)
    assert isinstance(make(1.0), FeatureMechanism) != isinstance(make(1.0), hg.RandomizedResponse)


@for_features
def test_the_variance_of_a_person_is_that_of_each_feature(make):
    mechanism, values = make(2.0), np.linspace(0, 1, 6)
    np.testing.assert_array_equal(mechanism.variance(values), [mechanism.variance(x, 6) for x in values])
