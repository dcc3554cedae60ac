"""Stand-ins for features."""

from __future__ import annotations

import numpy as np
import pytest

from hushgraph.local.public_features import public_features


def test_ones_are_ones(camps_collected):
    ones = public_features("ones", camps_collected, np.random.default_rng(0))
    assert (ones.toarray() == 1).all()
    assert ones.shape == (400, 10)


def test_degrees_are_one_hot_and_large_ones_share_the_last_column(camps_collected):
    degree = np.bincount(camps_collected.edges.ravel(), minlength=400)
    one_hot = public_features("degree", camps_collected, np.random.default_rng(0)).toarray()
    assert (one_hot.sum(1) == 1).all()
    np.testing.assert_array_equal(one_hot.argmax(1), np.minimum(degree, 9))


def test_noise_follows_the_generator(camps_collected):
    first, second = (public_features("random", camps_collected, np.random.default_rng(4)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert 0 <= first.min() < 0.1
    assert 0.9 < first.max() < 1


def test_an_unknown_kind_is_refused(camps_collected):
    with pytest.raises(ValueError, match="features must be one of"):
        public_features("pagerank", camps_collected, np.random.default_rng(0))
