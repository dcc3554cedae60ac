import math
import tracemalloc
from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp

import hushgraph as hg
from hushgraph.audit.enumeration import sign_distribution, sign_losses
from hushgraph.mechanisms import MultiBitReports
from hushgraph.mechanisms.multi_bit import optimal_m

D_AND_M = [(d, m) for d in (1, 2, 3, 4) for m in range(1, d + 1)]


@pytest.mark.parametrize(("d", "m"), D_AND_M)
def test_a_report_costs_epsilon_and_no_more_even_if_the_columns_are_public(epsilon, d, m):
    for loss in sign_losses(hg.MultiBit(epsilon, low=-2.0, high=5.0, m=m), d):
        assert loss.is_at_most(epsilon)
        assert float(loss) == pytest.approx(epsilon, abs=1e-9)


@pytest.mark.parametrize(("d", "m"), D_AND_M)
def test_a_huge_epsilon_is_never_exceeded_and_never_infinite(large_epsilon, d, m):
    for loss in sign_losses(hg.MultiBit(large_epsilon, m=m), d):
        assert loss.is_at_most(large_epsilon)


@pytest.mark.parametrize(("total", "m"), [(519.0183929509321, 63), (1.0, 3), (0.7, 7), (25.0, 3)])
def test_m_shares_of_epsilon_add_up_to_no_more_than_epsilon(total, m, privacy_loss, device):
    box = device(hg.MultiBit(total, m=m), m)
    least, most = box.chance_of_plus(0.0), box.chance_of_plus(1.0)
    loss = privacy_loss([{"+": least**m, "other": 1 - least**m}, {"+": most**m, "other": 1 - most**m}])
    assert loss.is_at_most(total)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["dense", "sparse", "one person"])
@pytest.mark.parametrize(("d", "m"), [(3, 1), (3, 2), (3, 3)])
def test_reports_are_as_frequent_as_the_enumeration_says(form, d, m, source, device, chance):
    x, mechanism = (0.0, 0.25, 1.0), hg.MultiBit(2.0, m=m)
    people = 4_000 if form == "one person" else 70_000
    if form == "one person":
        reports = [mechanism.randomize(np.array(x), source.rng) for _ in range(people)]
        columns, signs = (
            np.array([getattr(report, name) for report in reports]) for name in ("columns", "signs")
        )
    else:
        features = np.tile(x, (people, 1))
        reports = mechanism.randomize(sp.csr_array(features) if form == "sparse" else features, source.rng)
        columns, signs = reports.columns, reports.signs
    order = np.argsort(columns, axis=1)
    seen = Counter(
        (tuple(where), tuple(what))
        for where, what in zip(
            np.take_along_axis(columns, order, axis=1).tolist(),
            np.take_along_axis(signs, order, axis=1).tolist(),
            strict=True,
        )
    )
    box = device(mechanism, d)
    expected = sign_distribution({value: box.chance_of_plus(value) for value in x}, x, m)
    assert seen.keys() <= expected.keys()
    assert chance.explains([seen[key] for key in expected], expected.values(), source.false_alarm)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.0, 2.0), (10.0, 11.0)])
@pytest.mark.parametrize("m", [1, 3, 5])
def test_the_estimate_is_unbiased_with_the_variance_of_proposition_3_3(m, low, high, chance, rng):
    truth = low + (high - low) * np.array([0.0, 0.2, 0.5, 0.9, 1.0])
    mechanism = hg.MultiBit(1.5, low, high, m=m)
    reports = mechanism.randomize(np.tile(truth, (100_000, 1)), rng)
    estimates = mechanism.estimate(reports).toarray()
    assert chance.explains_mean_and_variance(estimates, truth, mechanism.variance(truth, 5), false_alarm=1e-6)


@pytest.mark.parametrize(("m", "d"), [(1, 1), (1, 9), (4, 9), (9, 9)])
def test_the_stated_variance_is_proposition_3_3_in_numbers(epsilon, m, d):
    low, high = -3.0, 2.0
    x = np.linspace(low, high, 7)
    odds = math.exp(epsilon / m)
    expected = d / m * ((odds + 1) / (odds - 1) * (high - low) / 2) ** 2 - (x - (low + high) / 2) ** 2
    np.testing.assert_allclose(hg.MultiBit(epsilon, low, high, m=m).variance(x, d), expected, rtol=1e-9)


def test_the_estimate_of_one_person_is_the_row_that_many_would_have(rng):
    mechanism = hg.MultiBit(5.0, m=2)
    many = mechanism.randomize(rng.random((3, 6)), rng)
    one = MultiBitReports(many.columns[1], many.signs[1], 6)
    np.testing.assert_array_equal(mechanism.estimate(one), mechanism.estimate(many).toarray()[1])


@pytest.mark.parametrize("d", [1, 2, 5, 60, 1000])
def test_the_optimal_m_is_the_best_of_all_integers(d):
    for epsilon in np.concatenate([np.geomspace(1e-3, 500, 120), [2.18, 3.06, 4.36, 6.54]]):
        z = epsilon / np.arange(1, d + 1)
        # z·coth²(z/2) with z = ε/m is proportional to the variance at the end of the range.
        assert optimal_m(epsilon, d) == 1 + np.argmin(z / np.tanh(z / 2) ** 2)
        assert hg.MultiBit(epsilon).sampled(d) == optimal_m(epsilon, d)


def test_two_answers_are_better_than_one_from_epsilon_3_06_on():
    assert optimal_m(3.05, 100) == 1
    assert optimal_m(3.07, 100) == 2


@pytest.mark.parametrize("d", [1, 3, 100])
@pytest.mark.parametrize("budget", [0.1, 2.17, 2.18, 4.35, 4.37, 10.0, 700.0])
def test_the_papers_m_is_proposition_3_4(budget, d):
    assert hg.MultiBit(budget, m="paper").sampled(d) == max(1, min(d, math.floor(budget / 2.18)))


def test_at_4_3_the_papers_m_costs_a_third_more_variance():
    # Far from the ends, d/m·scale² is all there is of the variance; d is large, so x does not matter.
    paper, optimal = (hg.MultiBit(4.3, m=m).variance(0.5, 10**6) for m in ("paper", "optimal"))
    assert paper / optimal == pytest.approx(1.32, abs=0.01)


@pytest.mark.parametrize("m", ["optimal", "paper"])
def test_without_privacy_a_rule_for_m_answers_every_feature(m):
    assert hg.MultiBit(math.inf, m=m).sampled(6) == 6


@pytest.mark.parametrize(
    ("m", "error"),
    [*((m, ValueError) for m in (0, -1, True, "best")), *((m, TypeError) for m in (1.5, None))],
)
def test_an_m_that_is_no_positive_whole_number_is_refused(m, error):
    with pytest.raises(error, match="m must be"):
        hg.MultiBit(1.0, m=m)


def test_more_answers_than_features_are_refused(rng):
    with pytest.raises(ValueError, match="m must be at most the number of features, 3; got 4"):
        hg.MultiBit(1.0, m=4).randomize(np.zeros((2, 3)), rng)


@pytest.mark.parametrize("m", [1, 2, 7, 8])
def test_sparse_and_dense_input_give_the_same_reports(m):
    rng = np.random.default_rng(3)
    features = np.where(rng.random((500, 8)) < 0.4, rng.random((500, 8)), 0.0)
    mechanism = hg.MultiBit(3.0, m=m)
    dense, *sparse = (
        mechanism.randomize(form, np.random.default_rng(8))
        for form in (features, sp.csr_array(features), sp.csc_array(features), sp.csr_matrix(features))
    )
    for reports in sparse:
        np.testing.assert_array_equal(reports.columns, dense.columns)
        np.testing.assert_array_equal(reports.signs, dense.signs)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_each_of_many_people_answers_about_their_own_features(form, m, rng):
    # More people than one block; with ε = 1000 a sign is the truth except with probability 2⁻⁶³.
    features = (rng.random((70_000, 3)) < 0.5).astype(float)
    reports = hg.MultiBit(1000.0, m=m).randomize(form(features), rng)
    truth = np.take_along_axis(features, reports.columns.astype(np.int64), axis=1)
    np.testing.assert_array_equal(reports.signs, np.where(truth == 1, 1, -1))


def test_one_person_answers_with_a_flat_report(rng):
    report = hg.MultiBit(1.0, m=2).randomize(np.zeros(5), rng)
    assert report.columns.shape == report.signs.shape == (2,)
    assert report.dimensions == 5
    assert len(set(report.columns.tolist())) == 2


def test_sparse_input_never_becomes_the_full_matrix(rng):
    people, d, stored = 100_000, 1_000_000, 5
    indices = np.sort(
        rng.integers(0, d // stored, (people, stored)) + np.arange(stored) * (d // stored), axis=1
    )
    features = sp.csr_array(
        (np.ones(people * stored, np.float32), indices.ravel(), np.arange(0, people * stored + 1, stored)),
        (people, d),
    )
    mechanism = hg.MultiBit(4.0)
    tracemalloc.start()
    try:
        estimate = mechanism.estimate(mechanism.randomize(features, rng))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert estimate.shape == (people, d)
    assert peak < 100e6


@pytest.mark.parametrize(
    ("columns", "signs", "complaint"),
    [
        ([[0, 1]], [[1]], "one shape"),
        ([[0, 4]], [[1, 1]], "columns must lie in 0 … 3"),
        ([[0, -1]], [[1, 1]], "columns must lie in 0 … 3"),
        ([[0, 1]], [[1, 0]], "signs must be -1 or 1"),
        ([[[0]]], [[[1]]], "one shape"),
    ],
)
def test_reports_that_no_device_sends_are_refused(columns, signs, complaint):
    with pytest.raises(ValueError, match=complaint):
        MultiBitReports(np.array(columns, np.int32), np.array(signs, np.int8), 4)
