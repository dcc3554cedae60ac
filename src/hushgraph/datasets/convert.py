"""Graphs that already live in another library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from hushgraph.datasets.labels import number_labels
from hushgraph.graph import Graph


def from_scipy(
    adjacency: Any,
    features: Any | None,
    labels: ArrayLike,
    *,
    name: str = "graph",
    classes: Sequence[str] | None = None,
) -> Graph:
    """A graph from a sparse adjacency matrix.

    Args:
        adjacency: a scipy sparse matrix of shape (n, n). Every non-zero entry, in either direction
            and of whatever weight, is an edge.
        features: numbers of shape (n, d), a numpy array or a scipy sparse matrix; None where there are none.
        labels: class numbers or words of shape (n,); -1 or an empty text for none.
        name: what to call the graph in tables.
        classes: the public list of classes; without it, those that somebody has, which makes guarantees about
            labels a mere claim.

    >>> from_scipy(sp.csr_array([[0, 1], [1, 0]]), features=np.eye(2), labels=["cat", "dog"])
    Graph('graph', 2 nodes, 1 edges, 2 features, 2 classes)
    """
    if not sp.issparse(adjacency):
        raise TypeError(f"adjacency must be a scipy sparse matrix, got {type(adjacency).__name__}")
    rows: Any = labels if features is None else features
    num_nodes = rows.shape[0] if sp.issparse(rows) else len(np.asarray(rows))
    if adjacency.shape != (num_nodes, num_nodes):
        of_what = "labels" if features is None else "features"
        accepted = f"shape ({num_nodes}, {num_nodes}), one row for each of {of_what}"
        raise ValueError(f"adjacency must have {accepted}; got {adjacency.shape}")
    matrix = sp.coo_array(adjacency)
    matrix.sum_duplicates()
    used = matrix.data != 0
    edges = np.stack([matrix.row[used], matrix.col[used]])
    numbered = number_labels(np.asarray(labels).ravel().tolist(), "labels", classes)
    return Graph(_each_once(edges, num_nodes), features, name=name, **numbered.of_graph)


def from_pyg(data: Any, *, name: str = "graph", classes: Sequence[str] | None = None) -> Graph:
    """A graph from a PyTorch Geometric ``Data`` object with ``edge_index``, ``y`` and, if any, ``x``.

    Args:
        data: ``x`` of shape (n, d), dense or sparse, or None; ``edge_index`` of shape (2, E), in one
            direction or both; ``y`` of shape (n,) or (n, 1), -1 for no label.
        name, classes: as in :func:`from_scipy`.
    """
    for attribute in ("edge_index", "y"):
        if getattr(data, attribute, None) is None:
            raise ValueError(f"data must have edge_index and y, but has no {attribute}")
    x = getattr(data, "x", None)
    features = None if x is None else _tensor_features(x)
    labels = data.y.detach().cpu().numpy()
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"data.y must have shape (n,), one class for each node; got {tuple(labels.shape)}")
    edges = data.edge_index.detach().cpu().numpy()
    numbered = number_labels(labels.tolist(), "data.y", classes)
    return Graph(_each_once(edges, labels.size), features, name=name, **numbered.of_graph)


def from_networkx(
    graph: Any,
    feature: str = "x",
    label: str = "y",
    *,
    name: str = "graph",
    classes: Sequence[str] | None = None,
) -> Graph:
    """A graph from a networkx graph; nodes are numbered in the order of ``graph.nodes``.

    Args:
        graph: a networkx graph of any kind; directions, weights and parallel edges are ignored.
        feature: the node attribute with the features, d numbers for every node, or for none at all.
        label: the node attribute with the class number or word; nodes without it get -1.
        name, classes: as in :func:`from_scipy`.
    """
    if graph.number_of_nodes() == 0:
        raise ValueError("graph must have nodes, but is empty")
    rows: list[NDArray[np.float32]] = []
    labels = []
    anybody = any(feature in attributes for _, attributes in graph.nodes(data=True))
    for node, attributes in graph.nodes(data=True):
        labels.append(attributes.get(label))
        if not anybody:
            continue
        if feature not in attributes:
            raise ValueError(f"node {node!r} has no attribute {feature!r}, which others have")
        rows.append(_row(attributes[feature], node, feature, rows[0].size if rows else None))
    number = {node: i for i, node in enumerate(graph.nodes)}
    edges = np.array([(number[u], number[v]) for u, v in graph.edges()], np.int32).reshape(-1, 2).T
    numbered = number_labels(labels, f"the attribute {label!r}", classes)
    ids = np.array([str(node) for node in graph.nodes])
    return Graph(edges, np.stack(rows) if rows else None, name=name, ids=ids, **numbered.of_graph)


def _each_once(edges: NDArray[Any], num_nodes: int) -> NDArray[Any]:
    """One direction of every edge where all are given in both, so that none counts as a duplicate."""
    if edges.ndim != 2 or edges.shape[0] != 2 or edges.size == 0:
        return edges
    there = edges[0].astype(np.int64) * num_nodes + edges[1]
    back = edges[1].astype(np.int64) * num_nodes + edges[0]
    if np.array_equal(np.sort(there), np.sort(back)):
        return edges[:, edges[0] <= edges[1]]
    return edges


def _tensor_features(x: Any) -> Any:
    """A torch tensor as what :class:`Graph` takes, without densifying a sparse one."""
    x = x.detach().cpu()
    if str(x.layout) == "torch.strided":
        return x.numpy()
    x = x.to_sparse_coo().coalesce()
    return sp.coo_array((x.values().numpy(), tuple(x.indices().numpy())), shape=tuple(x.shape)).tocsr()


def _row(values: Any, node: Any, feature: str, width: int | None) -> NDArray[np.float32]:
    what = f"attribute {feature!r} of node {node!r}"
    try:
        row = np.atleast_1d(np.asarray(values, np.float32))
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be numbers") from None
    accepted = (row.size if width is None else width,)
    if row.shape != accepted:
        raise ValueError(f"{what} must have shape {accepted}, got {row.shape}")
    if not np.isfinite(row).all():
        raise ValueError(f"{what} must be finite numbers")
    return row
