from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp

import hushgraph as hg
from hushgraph.audit.enumeration import sign_distribution, sign_losses


@pytest.mark.parametrize("d", [1, 2, 3])
def test_all_signs_together_cost_epsilon_and_no_more(epsilon, d):
    for loss in sign_losses(hg.OneBit(epsilon, low=-2.0, high=5.0), d):
        assert loss.is_at_most(epsilon)
        assert float(loss) == pytest.approx(epsilon, abs=1e-9)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_a_huge_epsilon_is_never_exceeded_and_never_infinite(large_epsilon, d):
    assert all(loss.is_at_most(large_epsilon) for loss in sign_losses(hg.OneBit(large_epsilon), d))


def test_d_shares_of_epsilon_add_up_to_no_more_than_epsilon(privacy_loss, device):
    total, d = 519.0183929509321, 63
    box = device(hg.OneBit(total), d)
    least, most = box.chance_of_plus(0.0), box.chance_of_plus(1.0)
    assert privacy_loss(
        [{"+": least**d, "other": 1 - least**d}, {"+": most**d, "other": 1 - most**d}]
    ).is_at_most(total)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_signs_are_as_frequent_as_the_enumeration_says(form, source, device, chance):
    x, mechanism = (0.0, 0.25, 1.0), hg.OneBit(2.0)
    signs = mechanism.randomize(form(np.tile(x, (60_000, 1))), source.rng)
    seen = Counter(map(tuple, signs.tolist()))
    box = device(mechanism, 3)
    of_reports = sign_distribution({value: box.chance_of_plus(value) for value in x}, x, 3)
    expected = {signs: p for (_, signs), p in of_reports.items()}
    assert chance.explains([seen[key] for key in expected], expected.values(), source.false_alarm)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.0, 2.0), (10.0, 11.0)])
@pytest.mark.parametrize("budget", [0.5, 6.0])
def test_the_estimate_is_unbiased_with_the_stated_variance(budget, low, high, chance, rng):
    truth = low + (high - low) * np.array([0.0, 0.2, 0.5, 1.0])
    mechanism = hg.OneBit(budget, low, high)
    estimates = mechanism.estimate(mechanism.randomize(np.tile(truth, (100_000, 1)), rng))
    assert estimates.dtype == np.float32
    assert chance.explains_mean_and_variance(estimates, truth, mechanism.variance(truth, 4), false_alarm=1e-6)


def test_it_is_the_multi_bit_mechanism_that_answers_everything(epsilon, rng):
    features = rng.random((50, 6))
    signs = hg.OneBit(epsilon).randomize(features, np.random.default_rng(1))
    reports = hg.MultiBit(epsilon, m=6).randomize(features, np.random.default_rng(1))
    np.testing.assert_array_equal(signs, reports.signs)
    x = np.linspace(0, 1, 5)
    np.testing.assert_allclose(hg.OneBit(epsilon).variance(x, 6), hg.MultiBit(epsilon, m=6).variance(x, 6))


def test_sparse_and_dense_input_give_the_same_signs(rng):
    features = np.where(rng.random((300, 5)) < 0.4, rng.random((300, 5)), 0.0)
    dense, sparse = (
        hg.OneBit(3.0).randomize(form, np.random.default_rng(8))
        for form in (features, sp.csr_array(features))
    )
    np.testing.assert_array_equal(dense, sparse)
