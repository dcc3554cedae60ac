"""Denoised features H = KProp(X'), in the form that is cheaper for the first layer of a network."""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor

from hushgraph.choices import Aggregation
from hushgraph.denoise.propagation import kprop, weight_corrections
from hushgraph.mechanisms import Factored
from hushgraph.sparse import Adjacency, DenseFeatures, FactoredFeatures
from hushgraph.sparse.features import COLUMNS

Form = Literal["auto", "factored", "dense"]
# Nanoseconds per multiply-add, one core: sparse products and dense ones, as benchmarks/kernels.py measures.
SPARSE_COST, DENSE_COST = 0.10, 0.05
# Bytes that a dense matrix may take where the choice is ours.
DENSE_LIMIT = 2**31


def denoised_features(
    reports: Factored | NDArray[np.float32],
    adjacency: Adjacency,
    steps: int,
    aggregation: Aggregation = "gcn",
    *,
    weights: Tensor | None = None,
    midpoint: float = 0.0,
    form: Form = "auto",
    width: int = 32,
    epochs: int = 500,
) -> DenseFeatures | FactoredFeatures:
    """Estimated features after KProp.

    Args:
        reports: the estimates.
        adjacency, steps, aggregation, weights: KProp's.
        midpoint: what is assumed of a feature about which nothing is known.
        form: ``"factored"`` never builds n × d, ``"dense"`` does it once; ``"auto"`` takes the cheaper of
            the two for products with ``width`` columns over ``epochs`` epochs. Both give the same numbers.
    """
    if isinstance(reports, Factored):
        factored = _factored(reports, adjacency, steps, aggregation, weights, midpoint)
        if form == "dense" or (form == "auto" and dense_is_cheaper(reports, adjacency, steps, width, epochs)):
            return DenseFeatures(factored.dense())
        return factored
    if form == "factored":
        raise ValueError("form='factored' needs sparse reports, but this mechanism sends all features")
    matrix = torch.empty(reports.shape, device=adjacency.device)
    for start in range(0, reports.shape[1], COLUMNS):
        columns = slice(start, start + COLUMNS)
        block = torch.from_numpy(np.ascontiguousarray(reports[:, columns])).to(adjacency.device)
        matrix[:, columns] = kprop(block, adjacency, steps, aggregation, weights=weights, midpoint=midpoint)
    return DenseFeatures(matrix)


def dense_is_cheaper(reports: Factored, adjacency: Adjacency, steps: int, width: int, epochs: int) -> bool:
    """Whether building A^K X' once fits and pays: multiply-adds on either side, at measured prices."""
    nodes, features = reports.shape
    if 4 * nodes * features > DENSE_LIMIT:
        return False
    hops = steps * adjacency.indices.numel()
    factored = epochs * 2 * width * (hops + reports.num_stored) * SPARSE_COST
    dense = epochs * 2 * width * nodes * features * DENSE_COST + features * hops * SPARSE_COST
    return dense < factored


def _factored(
    reports: Factored,
    adjacency: Adjacency,
    steps: int,
    aggregation: Aggregation,
    weights: Tensor | None,
    midpoint: float,
) -> FactoredFeatures:
    """KProp of S + x₀: the hops of S, and what they make of x₀; see :func:`~hushgraph.denoise.kprop`."""
    matrix = sp.csr_array((reports.data, reports.indices, reports.indptr), shape=reports.shape)
    scale = assumed = None
    if weights is not None:
        matrix = sp.csr_array(sp.diags_array(weights.cpu().numpy().astype(np.float32)) @ matrix)
        scale, everyone = weight_corrections(adjacency, steps, aggregation, weights)
        assumed = everyone * torch.where(scale > 0, reports.midpoint, midpoint)
    elif reports.midpoint:
        ones = torch.ones(adjacency.num_nodes, 1, device=adjacency.device)
        assumed = reports.midpoint * adjacency.hops(ones, aggregation, steps).ravel()
    return FactoredFeatures(matrix, adjacency, steps, aggregation, scale, assumed)
