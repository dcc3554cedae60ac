"""A small graph with everything that can be awkward: an isolated person, people without a label."""

from __future__ import annotations

import numpy as np
import pytest

import hushgraph as hg


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
