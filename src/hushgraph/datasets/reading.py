"""Users' own graphs, from files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushgraph.datasets._extras import require
from hushgraph.datasets.labels import in_order, number_labels
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
    """A graph from your own files: an edge list, labels and, if any, features; or one ``.npz`` alone.

    Each file is CSV (its first line names the columns), Parquet or npz. Node ids are text or whole
    numbers. Nodes are numbered 0 … n - 1 in the order of the feature table. Without one there is
    everybody whom the other files name, with a label or a friend or neither, in the order of their ids:
    that of a file, which may be sorted by class, would tell what is private.

    Args:
        edges: two columns of node ids, further columns are ignored; in an npz ``edge_index`` (2 × E).
            Given alone: an npz file of the whole graph, as :func:`save` writes it.
        features: one row for each node: its id in a column ``id`` or ``node``, else in the first;
            every other column is a feature, a finite number. In an npz ``x`` (n × d) or ``x_indptr``,
            ``x_indices``, ``x_data``, ``x_shape``, and optionally ``id``. A table of ids alone says who there
            is, where that must not depend on who has a label or a friend.
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
    if labels is None:
        raise ValueError("read needs edges and labels, or one .npz file alone; got no labels")
    edge_path, label_path = existing(edges), existing(labels)
    ends, (held, values) = _edge_columns(edge_path), _label_columns(label_path)
    if features is None:
        source, matrix, feature_names = label_path, None, None
        ids = _everybody(ends, held, len(values))
    else:
        source = existing(features)
        ids, matrix, feature_names = _read_features(source)
    nodes = _index(ids, source)
    by_node = _by_node(values, held, nodes, source)
    return Graph(
        edges=_edges_of(ends, nodes, source),
        features=matrix,
        name=edge_path.stem,
        ids=ids.astype(str),
        feature_names=feature_names,
        **number_labels(by_node, f"the labels in {label_path}", classes).of_graph,
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
    ends = _edge_columns(table)
    if ids is not None:
        return _edges_of(ends, _index(ids.astype(object), Path(source)), Path(source)).astype(np.int64)
    try:
        return np.stack([column.astype(np.int64) for column in ends.ids])
    except ValueError as error:
        raise ValueError(f"{table} must name people by their numbers: {error}") from error


class _Columns(NamedTuple):
    """Columns of ids: what the first line calls them, and the ids as text."""

    path: Path
    header: list[str]
    ids: list[NDArray[np.object_]]


def _everybody(ends: _Columns, held: _Columns, labels: int) -> NDArray[np.object_]:
    """The ids of all whom edges or labels name; labels without ids are those of the numbers from 0 on."""
    whose = held.ids or [ids_as_text(range(labels), held.path)]
    found = in_order(one for column in (*ends.ids, *whose) for one in column)
    if not found:
        raise ValueError(f"{ends.path} and {held.path} name nobody")
    return np.array(found, object)


def _read_features(path: Path) -> tuple[NDArray[np.object_], Any, tuple[str, ...] | None]:
    if path.suffix.lower() == ".npz":
        arrays = read_arrays(path)
        matrix = features_from(arrays, path)
        if matrix is None:
            raise ValueError(f"{path} holds no features, as x or as x_indptr, x_indices and x_shape")
        return ids_as_text(arrays.get("id", np.arange(matrix.shape[0])), path), matrix, None
    frame = read_table(path, all_text=False, least_columns=1, of_people=True)
    column = id_column(list(frame.columns))
    ids = ids_as_text(frame.pop(column), path)
    return ids, _numbers(frame, path), tuple(map(str, frame.columns)) or None


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


def _edge_columns(path: Path) -> _Columns:
    """Who is at either end of each edge."""
    if path.suffix.lower() == ".npz":
        pairs = read_arrays(path).get("edge_index", np.empty(0))
        if pairs.ndim != 2 or pairs.shape[0] != 2:
            raise ValueError(f"{path} must have an array edge_index of shape (2, E), got {pairs.shape}")
        return _Columns(path, [], [ids_as_text(ids, path) for ids in pairs])
    frame = read_table(path, all_text=True)
    columns = [ids_as_text(frame.iloc[:, end], path) for end in (0, 1)]
    return _Columns(path, list(frame.columns)[:2], columns)


def _edges_of(ends: _Columns, nodes: Any, source: Path) -> NDArray[np.int32]:
    _refuse_data_as_header(ends, nodes)
    return np.stack([_positions(ids, nodes, ends.path, source) for ids in ends.ids])


def _label_columns(path: Path) -> tuple[_Columns, NDArray[Any]]:
    """Whose the labels are, and the labels; an npz without ids has those of everybody, in order."""
    if path.suffix.lower() == ".npz":
        arrays = read_arrays(path)
        if "y" not in arrays:
            raise ValueError(f"{path} must have an array y with the labels")
        ids = [ids_as_text(arrays["id"], path)] if "id" in arrays else []
        return _Columns(path, [], ids), arrays["y"]
    frame = read_table(path, all_text=True)
    column = id_column(list(frame.columns))
    ids = [ids_as_text(frame.pop(column), path)]
    if frame.shape[1] != 1:
        raise ValueError(f"{path} must have one column beside the id {column!r}, got {frame.shape[1]}")
    return _Columns(path, [column], ids), frame.iloc[:, 0].to_numpy(dtype=object, na_value=None)


def _by_node(values: NDArray[Any], held: _Columns, nodes: Any, source: Path) -> NDArray[np.object_]:
    """The label of everybody in order, None for those who have none."""
    _refuse_data_as_header(held, nodes)
    ids = held.ids[0] if held.ids else np.asarray(nodes)
    if len(ids) != len(values):
        raise ValueError(f"{held.path} has {len(values)} labels for {len(ids)} nodes")
    _index(ids, held.path)
    by_node = np.full(len(nodes), None, object)
    by_node[_positions(ids, nodes, held.path, source)] = values
    return by_node


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


def _refuse_data_as_header(table: _Columns, nodes: Any) -> None:
    if table.header and all(str(name) in nodes for name in table.header):
        raise ValueError(f"{table.path} must name its columns in the first line, but that names nodes")
