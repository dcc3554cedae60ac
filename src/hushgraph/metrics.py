"""How good a model is, on what nothing else has used."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.graph import Graph


class Predictor(Protocol):
    """Anything that names a class for each person."""

    def predict(self) -> NDArray[np.int64]:
        """The class of each person (n,)."""


def accuracy(model: Predictor, graph: Graph, nodes: ArrayLike) -> float:
    """The share of ``nodes`` whose true label the model predicts, a fraction.

    Give test nodes: their labels were not collected.
    """
    ids = _check.node_ids(nodes, "nodes", graph.num_nodes)
    if ids.size == 0:
        raise ValueError("nodes must name at least one node, got none")
    if (graph.labels[ids] < 0).any():
        raise ValueError("nodes names people who have no label")
    predicted = model.predict()
    if predicted.shape != (graph.num_nodes,):
        raise ValueError(f"the model predicts {predicted.size} people, but the graph has {graph.num_nodes}")
    return float(np.mean(predicted[ids] == graph.labels[ids]))


def mean_and_interval(values: ArrayLike, samples: int = 1000) -> tuple[float, float]:
    """The mean over repeats and the half-width of its 95 % bootstrap interval, as the LPGNN paper has them.

    Half the distance between the 2.5 % and 97.5 % quantiles of the mean over ``samples`` resamples, drawn
    from a fixed seed; 0 for a single value.

    >>> mean, half_width = mean_and_interval([0.80, 0.82, 0.84])
    >>> round(mean, 2), 0 < half_width < 0.03
    (0.82, True)
    """
    numbers = np.asarray(values, np.float64)
    if numbers.ndim != 1 or numbers.size == 0:
        raise ValueError(f"values must be a list of at least one number, got shape {numbers.shape}")
    picks = np.random.default_rng(0).integers(0, numbers.size, size=(samples, numbers.size))
    low, high = np.quantile(numbers[picks].mean(axis=1), [0.025, 0.975])
    return float(numbers.mean()), float(high - low) / 2


def student_half_width(values: ArrayLike) -> float:
    """The half-width of Student's 95 % interval of the mean; infinite for a single value.

    For few repeats: the bootstrap of three covers the mean three times in four, this one 95 times in 100 if
    repeats are normal.

    >>> round(student_half_width([0.80, 0.82, 0.84]), 3)
    0.05
    """
    from scipy.stats import t

    numbers = np.asarray(values, np.float64)
    if numbers.size < 2:
        return math.inf
    return float(t.ppf(0.975, numbers.size - 1) * numbers.std(ddof=1) / math.sqrt(numbers.size))
