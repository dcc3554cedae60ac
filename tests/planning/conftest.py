"""A small graph that is all that a planner may look at."""

from __future__ import annotations

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.planning import campaigns
from hushgraph.planning.places import Places
from hushgraph.planning.statistics import Structure


@pytest.fixture(scope="package", autouse=True)
def two_cascades():
    """Half as long, and nothing that is tested here depends on it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaigns, "TURNS", (0, 1))
        yield


@pytest.fixture(scope="session")
def circles() -> hg.Graph:
    return hg.datasets.social(n=600, features=20, classes=3, homophily=0.9, seed=4)


@pytest.fixture(scope="session")
def places(circles) -> Places:
    return Places.of(Structure(circles.edges, circles.num_nodes))


@pytest.fixture(scope="session")
def thirds() -> np.ndarray:
    return np.full(3, 1 / 3)
