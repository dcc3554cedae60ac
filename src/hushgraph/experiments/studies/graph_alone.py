"""The control of a cell: the same run, in which features tell nothing and the graph does all the work.

A network also computes with noise: reports about nothing still tell people apart, and the graph averages
over these random names. So it is no control to take its features away, or to give it ones: it gets the same
reports of people who are all alike. What a cell has above that is what features have done.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.sparse as sp

from hushgraph.experiments.studies.study import Configuration
from hushgraph.graph import Graph


def with_people_alike(configuration: Configuration) -> Configuration:
    """The same, asked of people who all have the same features."""
    return configuration | {"people": "alike"}


def as_asked(graph: Graph, configuration: Configuration) -> Graph:
    """The graph that a run is about: as it is, or with people who are alike."""
    if "people" not in configuration:
        return graph
    return _alike(graph, configuration.get("low"), configuration.get("high"))


@lru_cache(maxsize=1)
def _alike(graph: Graph, low: float | None, high: float | None) -> Graph:
    """Everybody has the first feature and no other; or, where 0 is out of range, the least of each."""
    people, columns = graph.num_nodes, graph.num_features
    features: Any
    if low is not None and high is not None and not low <= 0 <= high:
        features = np.full((people, columns), low, np.float32)
    else:
        values = np.full(people, 1 if high is None else high, np.float32)
        parts = (values, np.zeros(people, np.int32), np.arange(people + 1))
        features = sp.csr_array(parts, shape=(people, columns))
    return dataclasses.replace(graph, features=features)
