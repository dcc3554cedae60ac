"""The study ``aggregation_error``: how far an estimated neighbourhood aggregation is from the true one."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch

from hushgraph import _check
from hushgraph.collection.campaign import Campaign
from hushgraph.collection.simulate import campaign_for
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.studies.mechanisms import fields_of, in_range, is_dense, mechanism_of
from hushgraph.experiments.studies.noise import is_common, noise_for
from hushgraph.experiments.studies.study import Configuration, Outcome, Progress, Study
from hushgraph.graph import Graph
from hushgraph.mechanisms import Factored
from hushgraph.privacy import Guarantee
from hushgraph.repeats import noise_of
from hushgraph.sparse import Adjacency
from hushgraph.split import Split

# Columns aggregated at a time: bounds the memory to n × COLUMNS numbers beside the reports.
COLUMNS = 256
# Who is asked for a label.
NOBODY = Split(*[np.zeros(0, np.int64)] * 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The fields of a cell: what is asked of whom, and how it is randomised."""

    dataset: str
    features: str = "multi-bit"
    epsilon_x: float
    delta: float | None = None
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        _check.keep(self, epsilon_x=_check.epsilon(self.epsilon_x, "epsilon_x"))
        mechanism_of(dataclasses.asdict(self))


def configure(cell: Cell, _: Hyperparameters) -> Configuration:
    """All that the cell's runs depend on."""
    asked = fields_of(cell, "features", "epsilon_x", "delta", "low", "high")
    asked |= noise_for(cell.dataset)
    return {"study": "aggregation_error", **asked, "aggregation": "gcn", "steps": 1}


def promise(graph: Graph, configuration: Configuration, _seed: int) -> Guarantee:
    """What a run promises to the people whom it asks."""
    graph = in_range(graph, configuration["low"], configuration["high"])
    return _campaign(graph, configuration).guarantee.parts[0].from_a_seed()


def measure(
    graph: Graph, configuration: Configuration, seed: int, _device: str, progress: Progress
) -> Outcome:
    """Mean over people and features of |A x' - A x|, for x' the unbiased estimate from one's reports.

    It compares with the true features: it describes a mechanism, and nothing is chosen by it.
    """
    graph = in_range(graph, configuration["low"], configuration["high"])
    start = time.perf_counter()
    mechanism = mechanism_of(configuration)
    asked = _campaign(graph, configuration)
    rng = noise_of(seed, graph, asked, NOBODY, common=is_common(configuration))
    estimate = mechanism.estimate(mechanism.randomize(graph.features, rng))
    adjacency = Adjacency.from_edges(graph.edges, graph.num_nodes, torch.device("cpu"))
    truth = sp.csc_array(graph.features)
    noisy, midpoint, total = estimate, 0.0, 0.0
    if isinstance(estimate, Factored):
        parts = (estimate.data, estimate.indices, estimate.indptr)
        noisy, midpoint = sp.csr_array(parts, shape=estimate.shape).tocsc(), estimate.midpoint
    for first in range(0, graph.num_features, COLUMNS):
        columns = slice(first, first + COLUMNS)
        error = _dense(noisy[:, columns]) + midpoint - _dense(truth[:, columns])
        smoothed = adjacency.propagate(
            torch.from_numpy(error.astype(np.float32)), configuration["aggregation"], configuration["steps"]
        )
        total += float(smoothed.abs().sum(dtype=torch.float64))
        progress(min(1.0, (first + COLUMNS) / graph.num_features))
    value = total / (graph.num_nodes * graph.num_features)
    return Outcome(value, time.perf_counter() - start, asked.guarantee.parts[0].from_a_seed())


def cost(graph: Graph, configuration: Configuration) -> float:
    """Multiply-adds of a run, roughly."""
    draws = 40 if is_dense(configuration["features"]) else 0
    return float((2 * graph.num_edges + (3 + draws) * graph.num_nodes) * graph.num_features)


def _campaign(graph: Graph, configuration: Configuration) -> Campaign:
    return campaign_for(graph, features=mechanism_of(configuration), labels=None)


def _dense(block: Any) -> Any:
    return block.toarray() if sp.issparse(block) else block


STUDY = Study(
    "aggregation_error",
    Cell,
    configure,
    measure,
    shared=lambda configuration: configuration,
    promise=promise,
    cost=cost,
    revision=2,
    quantity="mean absolute error of the aggregation",
    higher_is_better=False,
    uses_device=False,
)
