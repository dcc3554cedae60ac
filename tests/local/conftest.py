"""Collections of the two camps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hushgraph as hg


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
