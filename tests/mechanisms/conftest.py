"""Helpers: budgets, stated false-alarm rates, and randomness that follows a script."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.audit.words import ScriptedRandom, SignBox

EPSILONS = (1e-3, 0.1, 1.0, 3.0, 8.0)
LARGE_EPSILONS = (30.0, 50.0, 100.0, 1000.0)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "epsilon" in metafunc.fixturenames:
        metafunc.parametrize("epsilon", EPSILONS)
    if "large_epsilon" in metafunc.fixturenames:
        metafunc.parametrize("large_epsilon", LARGE_EPSILONS)


@pytest.fixture(params=["seeded", "secure"])
def source(request: pytest.FixtureRequest) -> SimpleNamespace:
    """Either kind of randomness; what cannot be seeded gets the smaller false-alarm rate."""
    if request.param == "seeded":
        return SimpleNamespace(rng=np.random.default_rng(64), false_alarm=1e-6)
    return SimpleNamespace(rng=hg.SecureRandom(), false_alarm=1e-9)


@pytest.fixture(scope="session")
def scripted() -> type[ScriptedRandom]:
    return ScriptedRandom


@pytest.fixture(scope="session")
def device() -> type[SignBox]:
    return SignBox
