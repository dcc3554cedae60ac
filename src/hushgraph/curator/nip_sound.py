"""The numbers of NIP-GNN's sound release: every noise scale is a function of public or released values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph.curator.rows import scaled_rows
from hushgraph.curator.sums import adjacency_matrix
from hushgraph.mechanisms.discrete_laplace import LARGEST_SCALE, discrete_laplace
from hushgraph.mechanisms.randomness import Random
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.privacy.sensitivities import Changes

# Features are whole multiples of one over this, so that sums and noise are whole numbers.
GRID = 1 << 16
# What the budget is split over, with the share of each by default.
PARTS = {"degrees": 1.0, "edges": 2.0, "aggregation": 4.0, "labels": 2.0}
# Whoever asks for buckets gets the same ones.
HASH_SEED = 20_240_000


@dataclass(frozen=True, slots=True)
class Noise:
    """How much noise a budget asks for; nothing here has seen a graph.

    Attributes:
        degree_scale: of the Laplace noise on degrees.
        pair_epsilon: of randomised response on each pair.
        sum_epsilon, sum_sensitivity: of the Laplace noise on sums; the sensitivity in units of 1/GRID.
    """

    degree_scale: int
    pair_epsilon: float
    sum_epsilon: float
    sum_sensitivity: int

    @classmethod
    def planned(cls, budget: Mapping[str, float], changes: Changes) -> Noise:
        """Each part spends its own share."""
        return cls(
            _whole_scale(changes.l1_of_degrees / budget["degrees"]),
            budget["edges"] / changes.pairs,
            budget["aggregation"],
            changes.l1_of_sums * GRID,
        )

    def sum_scales(self, weights: NDArray[np.float64]) -> NDArray[np.int64]:
        """The scale of each person's noise on sums, rounded up."""
        scales = [_whole_scale(self.sum_sensitivity / (self.sum_epsilon * weight)) for weight in weights]
        return np.array(scales, np.int64)


def whole_sums(edges: NDArray[np.int32], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sums of whole rows over neighbours."""
    sums: NDArray[np.int64] = adjacency_matrix(edges, len(rows)).astype(np.int64) @ rows
    return sums


def noisy_degrees(
    edges: NDArray[np.int32],
    people: int,
    scale: int,
    relation: NeighboringRelation,
    max_degree: int,
    rng: Random,
) -> NDArray[np.float64]:
    """Everybody's degree with exact Laplace noise, brought into [1, cap]; an edge has no cap but n - 1."""
    degrees = np.bincount(edges.ravel(), minlength=people)
    noisy = degrees + discrete_laplace(np.full(people, scale), rng)
    largest = people - 1 if relation == "edge" else max_degree
    brought: NDArray[np.float64] = np.clip(noisy, 1, max(1, largest)).astype(np.float64)
    return brought


def whole_rows(features: Any, buckets: int) -> NDArray[np.int64]:
    """Features hashed to ``buckets`` columns, in L1 norm 1 at most, as whole multiples of 1/GRID.

    Every column goes to one bucket with a sign, both public. Rounding is towards zero, from a norm a little
    below 1, so that no row is longer than GRID.
    """
    rows = sp.csr_array(scaled_rows(features, "l1")).astype(np.float64)
    columns = rows.shape[1]
    if columns > buckets:
        rng = np.random.default_rng(HASH_SEED)
        signs = rng.choice([-1.0, 1.0], columns)
        places = rng.integers(0, buckets, columns)
        rows = rows @ sp.csr_array((signs, (np.arange(columns), places)), shape=(columns, buckets))
    whole: NDArray[np.int64] = np.trunc(rows.toarray() * (GRID * (1 - 2.0**-20))).astype(np.int64)
    if np.abs(whole).sum(axis=1).max(initial=0) > GRID:
        raise ArithmeticError("a row is longer than 1 after rounding, which cannot be")
    return whole


def _whole_scale(least: float) -> int:
    """The next whole number, with room for what double precision may have got wrong."""
    scale = math.floor(least * (1 + 2.0**-40)) + 1
    if scale > LARGEST_SCALE:
        raise ValueError("the budget is too small: the noise would not fit whole numbers of 64 bits")
    return scale
