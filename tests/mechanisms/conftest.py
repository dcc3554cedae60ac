"""Helpers: budgets, stated false-alarm rates, and randomness that follows a script."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import hushgraph as hg

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


@dataclass
class ScriptedRandom(hg.SecureRandom):
    """Gives the words it was told to give, and 0 wherever a smaller number is drawn."""

    script: list[int]

    def integers(self, low: int, high: int, size: Any = None, **_: Any) -> Any:
        if high - low < 1 << 64:
            return np.zeros(size, np.int64)
        return np.array(self.script, np.uint64).reshape(size)


@pytest.fixture(scope="session")
def scripted() -> type[ScriptedRandom]:
    return ScriptedRandom


class Device:
    """A mechanism that answers with signs, as a box from which the exact probability of +1 is read."""

    def __init__(self, mechanism: Any, dimensions: int) -> None:
        self.mechanism, self.dimensions = mechanism, dimensions

    def signs(self, value: float, words: list[int]) -> Any:
        """What people answer who hold ``value`` everywhere and draw these words, one person a word."""
        features = np.full((len(words), self.dimensions), value)
        sampled = (
            self.mechanism.sampled(self.dimensions) if hasattr(self.mechanism, "sampled") else self.dimensions
        )
        script = ScriptedRandom([word for word in words for _ in range(sampled)])
        reports = self.mechanism.randomize(features, script)
        signs = getattr(reports, "signs", reports)
        assert (signs == signs[:, :1]).all(), "all features are answered in the same way"
        return signs[:, 0]

    def chance_of_plus(self, value: float) -> Fraction:
        """How many of the 2⁶⁴ words answer +1: the first word that answers -1, by search."""
        low, high = 0, 1 << 64
        while low < high:
            words = sorted({low + (high - low) * part // 256 for part in range(256)})
            plus = int(np.count_nonzero(self.signs(value, words) == 1))
            low, high = words[plus - 1] + 1 if plus else low, words[plus] if plus < len(words) else high
        return Fraction(low, 1 << 64)


@pytest.fixture(scope="session")
def device() -> type[Device]:
    return Device
