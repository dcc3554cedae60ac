"""A graph of two camps that is easy to learn, and its collection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hushgraph as hg


@pytest.fixture(scope="session")
def camps() -> hg.Graph:
    """400 people in two camps; friends are mostly of one's own camp, and so are likes."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 200)
    friends = rng.integers(0, 200, (2, 2000)) + 200 * rng.integers(0, 2, 2000)
    strangers = rng.integers(0, 400, (2, 200))
    likes = rng.random((400, 10)) < np.where((np.arange(10) < 5) == (labels[:, None] == 0), 0.8, 0.2)
    return hg.Graph(
        np.concatenate([friends, strangers], axis=1), likes.astype(np.float32), labels, name="camps"
    )


@pytest.fixture(scope="session")
def camps_split(camps: hg.Graph) -> hg.Split:
    return hg.random_split(camps, train=0.5, val=0.25, seed=0)


@pytest.fixture(scope="session")
def gather() -> Callable[..., hg.CollectedGraph]:
    """Collects with ε_x = ε_y = 2 and a fixed seed, unless told otherwise."""

    def collection(graph: hg.Graph, split: hg.Split, **options: Any) -> hg.CollectedGraph:
        usual = {
            "features": hg.MultiBit(2.0),
            "labels": hg.RandomizedResponse(2.0),
            "rng": np.random.default_rng(0),
        }
        return hg.collect(graph, split, **usual | options)

    return collection


@pytest.fixture(scope="session")
def camps_collected(camps: hg.Graph, camps_split: hg.Split, gather: Callable[..., hg.CollectedGraph]):
    return gather(camps, camps_split)
