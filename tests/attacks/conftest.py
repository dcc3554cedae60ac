"""A GCN that protects nobody, on people it overfits to: Cora where there is one, else the built-in graph."""

from __future__ import annotations

import os

import numpy as np
import pytest

import hushgraph as hg
from hushgraph import datasets
from hushgraph.attacks import Victim
from hushgraph.attacks.stage import Roles, Stage


def overfitted(graph: hg.Graph) -> Stage:
    rng = np.random.default_rng(0)
    return Stage.set(Victim.named("gcn-overfitted"), Roles.drawn(graph, rng), rng)


@pytest.fixture(scope="session")
def sparse_social() -> hg.Graph:
    """Few friends and many likes, so that a network learns people by heart."""
    return datasets.social(n=1600, features=2000, mean_degree=3.0, seed=1)


@pytest.fixture(scope="session")
def cora() -> hg.Graph:
    if not os.environ.get("HUSHGRAPH_DATA"):
        pytest.skip("HUSHGRAPH_DATA names no folder with Cora")
    return datasets.load("cora")


@pytest.fixture(scope="session")
def social_stage(sparse_social) -> Stage:
    return overfitted(sparse_social)


@pytest.fixture(scope="session")
def cora_stage(cora) -> Stage:
    return overfitted(cora)
