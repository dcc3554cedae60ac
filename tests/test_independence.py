"""The tests of noise see what is shared, and see nothing where nothing is."""

from __future__ import annotations

import numpy as np
import pytest
from tests.independence import shared

ALARM = 1e-9


def mirrored(noise):
    """Rows share their noise with those as far from the other end."""
    return noise[np.minimum(np.arange(len(noise)), np.arange(len(noise))[::-1])]


def twin_columns(noise):
    """Two columns far apart are one, with the sign turned."""
    noise[:, 40] = -noise[:, 3]
    return noise


@pytest.mark.parametrize(
    ("spoiled", "found"),
    [
        pytest.param(lambda noise: noise, [], id="nothing"),
        pytest.param(lambda noise: noise[np.arange(100) % 50], ["distances", "rows"], id="halves"),
        pytest.param(lambda noise: noise[np.arange(100) // 2], ["distances", "rows"], id="pairs of rows"),
        pytest.param(mirrored, ["rows"], id="mirrored rows"),
        pytest.param(lambda noise: noise[:, :1].repeat(100, 1), ["distances", "columns"], id="one column"),
        pytest.param(twin_columns, ["columns"], id="two columns"),
        pytest.param(lambda noise: noise + 0.4 * np.roll(noise, 7), ["distances"], id="echo"),
    ],
)
@pytest.mark.parametrize("draw", ["normal", "laplace", "standard_cauchy"])
def test_what_is_shared_is_found_whatever_the_noise(spoiled, found, draw):
    noise = getattr(np.random.default_rng(1), draw)(size=(100, 100))
    assert set(found) <= set(shared(spoiled(noise), ALARM))
    assert bool(found) == bool(shared(spoiled(noise), ALARM))


def test_independent_noise_is_let_pass_as_often_as_is_said():
    """Of 2,000 draws at a rate of one in a hundred, at most 20 on average."""
    rng = np.random.default_rng(2)
    alarms = sum(bool(shared(rng.normal(size=(5, 7)), 1e-2)) for _ in range(2000))
    assert alarms <= 20
