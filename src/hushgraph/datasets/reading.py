"""Users' own graphs, from files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.datasets._extras import require
from hushgraph.datasets.labels import Labels, number_labels
from hushgraph.datasets.npz import features_from, read_arrays, read_npz
from hushgraph.datasets.tables import existing, id_column, ids_as_text, read_table
from hushgraph.graph import Graph

PathLike = str | os.PathLike[str]


def read(
    edges: PathLike,
    features: PathLike | None = None,
    labels: PathLike | None = None,
    classes: Sequence[str] | None = None,
) -> Graph:
    """A graph from your own files: an edge list, a feature table and labels; or one ``.npz`` alone.

    Each file is CSV (its first line names the columns), Parquet or npz. Node ids are text or whole
    numbers. Nodes are numbered 0 … n - 1 in the order of the feature table.

    Args:
        edges: two columns of node ids, further columns are ignored; in an npz ``edge_index`` (2 × E).
            Given alone: an npz file of the whole graph, as :func:`save` writes it.
        features: one row for each node: its id in a column ``id`` or ``node``, else in the first;
            every other column is a feature, a finite number. In an npz ``x`` (n × d) or ``x_indptr``,
            ``x_indices``, ``x_data``, ``x_shape``, and optionally ``id``.
        labels: a node id and its class, a code (a whole number) or a word. Nodes that are left out, or have
            an empty cell or the code -1, have none. In an npz ``y``, and optionally ``id``.
        classes: the public list of classes. Without it they are those that somebody has, sorted; that list
            is private, and so every guarantee about labels says *claimed*.

    The graph has the ids, the names of the features and those of the classes.

    Raises:
        FileNotFoundError: a file does not exist.
        ValueError: a file is not as described; the error says which, and where. It never repeats a
            feature or a label, since these may be private.
    """
    if features is None and labels is None:
        if classes is not None:
            raise ValueError("classes are for a file of labels; an .npz file of a graph has its own")
        return read_npz(existing(edges, (".npz",)))
    if features is None or labels is None:
        missing = "features" if features is None else "labels"
        raise ValueError(f"read needs edges, features and labels, or one .npz file alone; got no {missing}")
    edge_path, feature_path, label_path = existing(edges), existing(features), existing(labels)
    ids, matrix, feature_names = _read_features(feature_path)
    nodes = _index(ids, feature_path)
    return Graph(
        edges=_read_edges(edge_path, nodes, feature_path),
        features=matrix,
        name=edge_path.stem,
        ids=ids.astype(str),
        feature_names=feature_names,
        **_read_labels(label_path, nodes, feature_path, classes).of_graph,
    )


def read_ids(path: PathLike) -> NDArray[np.str_]:
    """The ids of everybody in a table, in its order."""
    table = existing(path, (".csv", ".parquet"))
    frame = read_table(table, all_text=True, least_columns=1, of_people=True)
    ids = ids_as_text(frame[id_column(list(frame.columns))], table)
    _index(ids, table)
    return ids.astype(str)


def read_edges(
    path: PathLike, ids: NDArray[np.str_] | None = None, source: PathLike = ""
) -> NDArray[np.int64]:
    """The edges of a file alone, (2, E): by ids, or by numbers where there are none."""
    table = existing(path)
    if ids is not None:
        return _read_edges(table, _index(ids.astype(object), Path(source)), Path(source)).astype(np.int64)
    columns = _edge_columns(table, None)
    try:
        return np.stack([ids_as_text(column, table).astype(np.int64) for column in columns])
    except ValueError as error:
        raise ValueError(f"{table} must name people by their numbers: {error}") from error


def _read_features(path: Path) -> tuple[NDArray[np.object_], Any, tuple[str, ...] | None]:
    if path.suffix.lower() == ".npz":
        arrays = read_arrays(path)
        matrix = features_from(arrays, path)
        return ids_as_text(arrays.get("id", np.arange(matrix.shape[0])), path), matrix, None
    frame = read_table(path, all_text=False, of_people=True)
    column = id_column(list(frame.columns))
    ids = ids_as_text(frame.pop(column), path)
    return ids, _numbers(frame, path), tuple(map(str, frame.columns))


def _numbers(frame: Any, path: Path) -> NDArray[np.float32]:
    pandas = require("pandas", extra="data", purpose=f"reading {path}")
    matrix = np.empty(frame.shape, np.float32)
    for position, name in enumerate(frame.columns):
        column = frame[name]
        if not pandas.api.types.is_numeric_dtype(column.dtype):
            # By way of text, so that a date is refused and not taken for a large number.
            column = pandas.to_numeric(column.astype(str), errors="coerce")
        with np.errstate(over="ignore"):
            matrix[:, position] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        if not np.isfinite(matrix[:, position]).all():
            row = int(np.flatnonzero(~np.isfinite(matrix[:, position]))[0]) + 1
            raise ValueError(f"{path} must hold finite numbers, but not so in row {row}, column {name!r}")
    return matrix


def _read_edges(path: Path, nodes: Any, feature_path: Path) -> NDArray[np.int32]:
    columns = _edge_columns(path, nodes)
    return np.stack([_positions(ids_as_text(ids, path), nodes, path, feature_path) for ids in columns])


def _edge_columns(path: Path, nodes: Any) -> list[Any]:
    """Who is at either end of each edge."""
    if path.suffix.lower() == ".npz":
        pairs = read_arrays(path).get("edge_index", np.empty(0))
        if pairs.ndim != 2 or pairs.shape[0] != 2:
            raise ValueError(f"{path} must have an array edge_index of shape (2, E), got {pairs.shape}")
        return list(pairs)
    frame = read_table(path, all_text=True)
    if nodes is not None:
        _refuse_data_as_header(list(frame.columns)[:2], nodes, path)
    return [frame.iloc[:, 0], frame.iloc[:, 1]]


def _read_labels(path: Path, nodes: Any, feature_path: Path, classes: Sequence[str] | None) -> Labels:
    if path.suffix.lower() == ".npz":
        arrays = read_arrays(path)
        if "y" not in arrays:
            raise ValueError(f"{path} must have an array y with the labels")
        values, ids = arrays["y"], ids_as_text(arrays.get("id", np.asarray(nodes)), path)
    else:
        frame = read_table(path, all_text=True)
        column = id_column(list(frame.columns))
        _refuse_data_as_header([column], nodes, path)
        ids = ids_as_text(frame.pop(column), path)
        if frame.shape[1] != 1:
            raise ValueError(f"{path} must have one column beside the id {column!r}, got {frame.shape[1]}")
        values = frame.iloc[:, 0].to_numpy(dtype=object, na_value=None)
    if len(ids) != len(values):
        raise ValueError(f"{path} has {len(values)} labels for {len(ids)} nodes")
    _index(ids, path)
    by_node = np.full(len(nodes), None, object)
    by_node[_positions(ids, nodes, path, feature_path)] = values
    return number_labels(by_node, f"the labels in {path}", classes)


def _index(ids: NDArray[np.object_], path: Path) -> Any:
    index = require("pandas", extra="data", purpose=f"reading {path}").Index(ids)
    repeated = np.flatnonzero(index.duplicated())
    if repeated.size:
        raise ValueError(f"{path} names node {ids[repeated[0]]!r} a second time in row {repeated[0] + 1}")
    return index


def _positions(ids: NDArray[np.object_], nodes: Any, path: Path, feature_path: Path) -> NDArray[np.int32]:
    found: NDArray[np.int32] = nodes.get_indexer(ids).astype(np.int32)
    unknown = np.flatnonzero(found < 0)
    if unknown.size:
        row = unknown[0]
        raise ValueError(f"{path} names node {ids[row]!r} in row {row + 1}, which is not in {feature_path}")
    return found


def _refuse_data_as_header(names: list[Any], nodes: Any, path: Path) -> None:
    if all(str(name) in nodes for name in names):
        raise ValueError(f"{path} must name its columns in the first line, but that names nodes")
