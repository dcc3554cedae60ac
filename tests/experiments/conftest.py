"""A small graph in a file, and an experiment on it as a reader would declare it."""

from __future__ import annotations

import pytest

from hushgraph.datasets import save, social
from hushgraph.experiments import declared


@pytest.fixture(scope="session")
def graph_file(tmp_path_factory):
    """A graph of 200 people, as npz."""
    path = tmp_path_factory.mktemp("graphs") / "small.npz"
    return str(save(social(n=200, features=12, classes=3, mean_degree=6.0, seed=3), path))


@pytest.fixture
def declaration(graph_file):
    """The text of a TOML file with the experiment 'mine': two mechanisms at two budgets."""
    return f"""
[mine]
title = "Two mechanisms"
study = "lpgnn"
chart = [{{ x = "eps_x", lines = "features" }}]

[[mine.cells]]
dataset = "{graph_file}"
features = ["multi_bit", "one_bit"]
eps_x = [1, 4]
eps_y = 2
k_x = 2
k_y = 1
learning_rate = 0.01
weight_decay = 0.001
dropout = 0.5
epochs = 20
"""


@pytest.fixture
def experiment(declaration):
    return declared.parse(declaration, "own", "own.toml")[0]
