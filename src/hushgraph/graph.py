"""What people hold: the graph with its true features and labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.edges import canonical_edges


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """An undirected graph with each person's true features and label.

    Only simulation and evaluation touch it: what a server would have is a
    :class:`~hushgraph.CollectedGraph`.

    Args:
        edges: integers of shape (2, E). A pair may stand in either direction; duplicates and
            self-loops are dropped and counted in ``dropped_duplicates`` and ``dropped_self_loops``.
        features: numbers of shape (n, d), a numpy array or a scipy sparse matrix; None, which is kept as
            (n, 0), where people have none.
        labels: integers of shape (n,), from 0 on; -1 where a person has no label.
        num_classes: the number of classes, if it is public; by default the largest label plus one, and then
            every class must be somebody's.
        name: what to call the graph in tables.
        classes: the public names of the classes; by default their numbers.
        ids: what people are called, one for each; by default they have numbers alone.
        feature_names: one for each feature.
        ranges_from_data, classes_from_data: whether the ranges of features, or which classes there are, were
            read off what people hold; a promise to them is then a mere claim.

    After construction ``edges`` holds each undirected edge once, ``u < v``, sorted. Nodes without
    an edge are kept.
    """

    edges: NDArray[np.int32]
    features: Any
    labels: NDArray[np.int64]
    num_classes: int = 0
    name: str = "graph"
    dropped_self_loops: int = 0
    dropped_duplicates: int = 0
    ranges_from_data: bool = False
    classes: tuple[str, ...] = ()
    classes_from_data: bool = False
    ids: NDArray[np.str_] | None = None
    feature_names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        given = np.empty((np.size(self.labels), 0)) if self.features is None else self.features
        features = _features(given)
        num_nodes = features.shape[0]
        stated = self.num_classes or len(self.classes)
        labels, num_classes = _labels(self.labels, num_nodes, stated)
        classes = tuple(map(str, self.classes or range(num_classes)))
        if len(set(classes)) != num_classes:
            raise ValueError(f"classes must be {num_classes} different names, got {len(classes)}")
        if self.feature_names is not None and len(self.feature_names) != features.shape[1]:
            raise ValueError(f"feature_names must be {features.shape[1]}, got {len(self.feature_names)}")
        edges, self_loops, duplicates = canonical_edges(self.edges, num_nodes)
        _check.keep(
            self,
            edges=edges,
            features=features,
            labels=labels,
            num_classes=num_classes,
            classes=classes,
            classes_from_data=self.classes_from_data or not stated,
            ids=None if self.ids is None else _ids(self.ids, num_nodes),
            dropped_self_loops=self.dropped_self_loops + self_loops,
            dropped_duplicates=self.dropped_duplicates + duplicates,
        )

    @property
    def num_nodes(self) -> int:
        """The number of people, n."""
        return int(self.features.shape[0])

    @property
    def num_features(self) -> int:
        """The number of features, d."""
        return int(self.features.shape[1])

    @property
    def num_edges(self) -> int:
        """The number of undirected edges."""
        return int(self.edges.shape[1])

    def __repr__(self) -> str:
        return (
            f"Graph({self.name!r}, {self.num_nodes:,} nodes, {self.num_edges:,} edges, "
            f"{self.num_features:,} features, {self.num_classes} classes)"
        )

    def rescaled(self, low: ArrayLike | None = None, high: ArrayLike | None = None) -> Graph:
        """The same graph with each feature column mapped from [low, high] to [0, 1].

        Give the public range of each column. Without one, the columns' own minimum and maximum are
        used, as the LPGNN authors' code does: those are private, so every guarantee on the result
        says *claimed*. A column whose range is a single point becomes 0.
        """
        if (low is None) != (high is None):
            raise ValueError("give both low and high, or neither to take them from the data")
        from_data = low is None
        if from_data:
            low, high = _column_extremes(self.features)
        # Rounded like the features, so that what lies inside the range still does.
        columns_low, columns_high = (
            np.broadcast_to(np.asarray(end, np.float32), (self.num_features,)).astype(np.float64)
            for end in (low, high)
        )
        width = columns_high - columns_low
        if not (np.isfinite(width).all() and (width >= 0).all()):
            raise ValueError("low and high must be finite with low ≤ high in every column")
        factor = np.divide(1.0, width, out=np.zeros_like(width), where=width > 0)
        if sp.issparse(self.features) and not columns_low.any():
            scaled: Any = sp.csr_array(self.features @ sp.diags_array(factor.astype(np.float32)))
            scaled.sort_indices()
        else:
            dense = self.features.toarray() if sp.issparse(self.features) else self.features
            scaled = ((dense - columns_low) * factor).astype(np.float32)
        values = scaled.data if sp.issparse(scaled) else scaled
        # Rounding must not push the largest value of a column above 1.
        values[np.abs(values - 1) < 1e-6] = 1.0
        read_off = self.ranges_from_data or (from_data and self.num_features > 0)
        return replace(self, features=scaled, ranges_from_data=read_off)


def _features(values: Any) -> Any:
    given: Any = sp.csr_array(values) if sp.issparse(values) else np.asarray(values)
    if given.dtype.kind not in "fiub":
        raise TypeError(f"features must be numbers, got an array of {given.dtype}")
    if given.ndim != 2 or given.shape[0] == 0:
        raise ValueError(f"features must have shape (n, d) with n ≥ 1, or be None, got {given.shape}")
    if sp.issparse(given) and not given.has_canonical_format:
        given = given.copy()
        given.sum_duplicates()
    numbers = given.data if sp.issparse(given) else given
    if not (np.isfinite(numbers).all() and (np.abs(numbers) <= np.finfo(np.float32).max).all()):
        raise ValueError("features must be finite numbers in single precision, but some are NaN or infinite")
    if sp.issparse(given):
        return given.astype(np.float32, copy=False)
    return np.ascontiguousarray(given, np.float32)


def _labels(values: Any, num_nodes: int, num_classes: int) -> tuple[NDArray[np.int64], int]:
    labels = np.asarray(values)
    if labels.shape != (num_nodes,):
        accepted = f"shape ({num_nodes},), one for each person"
        raise ValueError(f"labels must have {accepted}; got {labels.shape}")
    if labels.dtype.kind not in "iu":
        raise ValueError(f"labels must be whole numbers (-1 for none), got {labels.dtype}")
    labels = labels.astype(np.int64)
    stated = _check.count(num_classes, "num_classes")
    # Whether the only one who had a label is gone may be a secret; which classes there are is public.
    if labels.max() < 0 and not stated:
        raise ValueError(
            "labels must name a class for somebody, or num_classes or classes must say which there are"
        )
    if labels.min() < -1 or (stated and labels.max() >= stated):
        raise ValueError(f"labels must lie in 0 … {stated - 1 if stated else 'c - 1'} (-1 for none)")
    num_classes = stated or int(labels.max()) + 1
    if not stated and np.unique(labels[labels >= 0]).size < num_classes:
        raise ValueError(
            f"labels must use every number from 0 to {num_classes - 1}, or num_classes or classes must say"
            " which classes there are; hushgraph.datasets numbers any codes or words"
        )
    if num_classes < 2:
        raise ValueError(f"labels must have at least two classes, got {num_classes}")
    return labels, num_classes


def _column_extremes(features: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    low, high = features.min(axis=0), features.max(axis=0)
    if sp.issparse(features):
        low, high = low.toarray().ravel(), high.toarray().ravel()
    return low.astype(np.float64), high.astype(np.float64)


def _ids(values: Any, num_nodes: int) -> NDArray[np.str_]:
    ids = np.asarray(values).astype(str)
    if ids.shape != (num_nodes,) or np.unique(ids).size < num_nodes:
        raise ValueError(f"ids must name each of {num_nodes} people once")
    return ids
