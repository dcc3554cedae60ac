"""A small graph with everything that can be awkward, and one that is easy to learn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.chance import Chance

import hushgraph as hg
from hushgraph.audit import PrivacyLoss

# Where most tests train, audit or start processes; single tests elsewhere carry the mark themselves.
# `make quick` leaves out what is slow.
SLOW = (
    "attacks/test_attacks_succeed_and_fail.py",
    "attacks/test_limits.py",
    "attacks/test_suite.py",
    "audit",
    "cli/test_attack.py",
    "cli/test_commands.py",
    "cli/test_reproduce.py",
    "collection/test_long_way.py",
    "curator",
    "datasets/test_snap.py",
    "experiments/test_attacks_study.py",
    "experiments/test_charts.py",
    "experiments/test_curator_study.py",
    "experiments/test_private_lists.py",
    "experiments/test_report.py",
    "experiments/test_report_in_browser.py",
    "experiments/test_runner.py",
    "experiments/test_tune.py",
    "privacy/test_lowest_versions.py",
    "test_readme.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if any(item.path.is_relative_to(here / place) for place in SLOW):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def chance() -> type[Chance]:
    return Chance


@pytest.fixture(scope="session")
def privacy_loss() -> type[PrivacyLoss]:
    return PrivacyLoss


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(2021)


@pytest.fixture
def graph() -> hg.Graph:
    """40 people, 7 features in [0, 1], 3 classes; person 39 is isolated, persons 0 and 1 have no label."""
    rng = np.random.default_rng(40)
    labels = rng.integers(0, 3, 40)
    labels[:2] = -1
    return hg.Graph(
        edges=rng.integers(0, 39, (2, 80)),
        features=rng.random((40, 7)),
        labels=labels,
        num_classes=3,
        name="forty",
    )


@pytest.fixture
def split(graph: hg.Graph) -> hg.Split:
    return hg.random_split(graph, train=0.5, val=0.25, seed=7)


@pytest.fixture(scope="session")
def camps() -> hg.Graph:
    """400 people in two camps; friends are mostly of one's own camp, and so are likes."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 200)
    friends = rng.integers(0, 200, (2, 2000)) + 200 * rng.integers(0, 2, 2000)
    strangers = rng.integers(0, 400, (2, 200))
    likes = rng.random((400, 10)) < np.where((np.arange(10) < 5) == (labels[:, None] == 0), 0.8, 0.2)
    return hg.Graph(
        np.concatenate([friends, strangers], axis=1),
        likes.astype(np.float32),
        labels,
        num_classes=2,
        name="camps",
    )


@pytest.fixture(scope="session")
def camps_split(camps: hg.Graph) -> hg.Split:
    return hg.random_split(camps, train=0.5, val=0.25, seed=0)
