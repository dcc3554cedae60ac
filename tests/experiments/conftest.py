"""A small graph in a file, an experiment on it as a reader would declare it, a report of made-up results."""

from __future__ import annotations

import pytest

import hushgraph as hg
from hushgraph.datasets import save, social
from hushgraph.experiments import declared
from hushgraph.experiments.declared import packaged
from hushgraph.experiments.report import About, write_report
from hushgraph.experiments.store import Result
from hushgraph.experiments.studies.study import Outcome
from hushgraph.experiments.tables import NOT_AVAILABLE, NOT_RUN, make_table
from hushgraph.local.public_features import KINDS as STAND_INS
from hushgraph.mechanisms.factory import feature_mechanism
from hushgraph.privacy.guarantee import _compose


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
chart = [{{ x = "epsilon_x", lines = "features" }}]

[[mine.cells]]
dataset = "{graph_file}"
features = ["multi-bit", "one-bit"]
epsilon_x = [1, 4]
epsilon_y = 2
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


CPU = {"hushgraph": "0.0", "python": "3.12.1", "torch": "2.10.0", "numpy": "2.3.0", "device": "CPU (x86_64)"}
GPU = CPU | {"device": "NVIDIA H200"}
ABOUT = About(
    command="hushgraph reproduce lpgnn slides --repeats 5",
    repeats=5,
    hyperparameters="published by the LPGNN authors",
    graphs={"cora": "2,708 people", "pubmed": "19,717 people"},
    unavailable={"github": "its file is not in the data folder"},
    failures=["cora, seed 2: killed"],
)
FAILED, UNDONE = 5, 9


def _guarantee_of(cell):
    if hasattr(cell, "epsilon"):
        return hg.Guarantee("one person's data", cell.epsilon, status="claimed")
    parts = []
    if cell.features not in STAND_INS:
        kind = "multi-bit" if cell.features == "raw" else cell.features
        features = feature_mechanism(kind, cell.epsilon_x, delta=getattr(cell, "delta", None)).guarantee
        parts = [features.claimed("ranges from data") if cell.dataset == "pubmed" else features]
    if not hasattr(cell, "epsilon_y"):
        return parts[0]
    if hasattr(cell, "epsilon_a"):
        parts.append(hg.AdjacencyRandomizedResponse(cell.epsilon_a).guarantee)
    return _compose("everything a person sent", [*parts, hg.RandomizedResponse(cell.epsilon_y).guarantee])


def _table_of(experiment, missing=("github",)):
    """Five repeats of every cell but one that failed once, one that was not run, and missing datasets."""
    results, troubles = {}, {}
    for number, cell in enumerate(experiment.cells):
        if cell.dataset in missing:
            troubles[cell] = NOT_AVAILABLE
            continue
        values = [0.4 + number / 500 + noise for noise in (0.0, 0.005, 0.01, 0.015, 0.02)]
        if number == FAILED:
            del values[4:]
            troubles[cell] = "1 of 5 runs failed: MemoryError"
        if number == UNDONE:
            values, troubles[cell] = [], NOT_RUN
        environment = GPU if number == 0 else CPU
        results[cell] = [Result(Outcome(value, 60.0, _guarantee_of(cell)), environment) for value in values]
    return make_table(experiment, results, troubles, wanted=5)


@pytest.fixture(scope="session")
def about():
    return ABOUT


@pytest.fixture(scope="session")
def table_of():
    return _table_of


@pytest.fixture(scope="session")
def tables(table_of):
    chosen = ["cora", "pubmed", "github"]
    return [table_of(experiment.only(chosen, None)) for experiment in packaged().values()]


@pytest.fixture(scope="session")
def path(tables, about, tmp_path_factory):
    return write_report(tables, about, tmp_path_factory.mktemp("report"))
