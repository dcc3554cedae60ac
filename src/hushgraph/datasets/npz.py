"""The project's file format: one graph in one ``.npz`` file."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph._files import atomic_write
from hushgraph.datasets.digest import nonzero_features
from hushgraph.datasets.labels import number_labels
from hushgraph.graph import Graph

Arrays = Mapping[str, NDArray[Any]]

FORMAT = (
    "edge_index (2 × E), y and, for features, x_indptr, x_indices, x_data (left out when all are 1), x_shape"
)

_UNREADABLE = (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError)


def save(graph: Graph, path: str | os.PathLike[str]) -> Path:
    """Write a graph to one compressed ``.npz`` file that :func:`read` reads back.

    The arrays are ``edge_index`` (int32, 2 × E, each edge once), ``x_indptr``, ``x_indices``,
    ``x_data``, ``x_shape`` (the features, if any, in CSR form; dense ones come back sparse), ``y``
    (-1 for no label), ``classes`` and, where the graph has them, ``id`` and ``feature_names``. The file
    appears under its name, which must end in ``.npz`` and is returned, only when it is whole.
    """
    path = Path(path)
    if path.suffix != ".npz":
        raise ValueError(f"path must end in .npz, got {path}")
    arrays: dict[str, NDArray[Any]] = {
        "edge_index": graph.edges,
        **_features(graph),
        "y": graph.labels.astype(_smallest_type(graph.num_classes)),
        "num_classes": np.array(graph.num_classes, np.int64),
        "classes": np.array(graph.classes, str),
    }
    for name, names in (("id", graph.ids), ("feature_names", graph.feature_names)):
        if names is not None:
            arrays[name] = np.array(names, str)
    # Without these marks, a reader would call proven what was made of people's own values.
    for mark in ("ranges_from_data", "classes_from_data"):
        if getattr(graph, mark):
            arrays[mark] = np.array(True)
    with atomic_write(path) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    return path


def read_npz(path: Path) -> Graph:
    """The graph in one ``.npz`` file of the project's format, named after the file."""
    arrays = read_arrays(path)
    if missing := {"edge_index", "y"} - set(arrays):
        raise ValueError(f"{path} has no array {', '.join(sorted(missing))}; a graph's file has {FORMAT}")
    features = features_from(arrays, path)
    try:
        return Graph(
            edges=arrays["edge_index"],
            features=features,
            name=path.stem,
            ranges_from_data=bool(arrays.get("ranges_from_data", False)),
            ids=arrays.get("id"),
            feature_names=tuple(arrays["feature_names"].tolist()) if "feature_names" in arrays else None,
            **_labels(arrays, path),
        )
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} holds no valid graph: {error}") from error


def _features(graph: Graph) -> dict[str, NDArray[Any]]:
    if graph.num_features == 0:
        return {}
    matrix = nonzero_features(graph)
    arrays = {
        "x_indptr": matrix.indptr.astype(_smallest_type(matrix.nnz, np.int32)),
        "x_indices": matrix.indices.astype(_smallest_type(graph.num_features)),
        "x_shape": np.array(matrix.shape, np.int64),
    }
    return arrays if (matrix.data == 1).all() else arrays | {"x_data": matrix.data}


def _labels(arrays: Arrays, path: Path) -> dict[str, Any]:
    """What the file says of labels and classes; if it does not list the classes, codes are numbered."""
    if "classes" not in arrays and "num_classes" not in arrays:
        return number_labels(arrays["y"].tolist(), f"the labels in {path}").of_graph
    return {
        "labels": arrays["y"],
        "num_classes": int(arrays.get("num_classes", np.array(0))),
        "classes": tuple(arrays["classes"].tolist()) if "classes" in arrays else (),
        "classes_from_data": bool(arrays.get("classes_from_data", False)),
    }


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Every array of an ``.npz`` file; a damaged file is an error that names it."""
    try:
        # Opened here: numpy leaves a file open when it finds that it is no archive.
        with path.open("rb") as file:
            archive = np.load(file, allow_pickle=False)
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise ValueError("it is not an archive of arrays")
            with archive:
                return {name: archive[name] for name in archive.files}
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {path}") from None
    except _UNREADABLE as error:
        raise ValueError(f"{path} is not a readable .npz file (truncated or damaged?): {error}") from error


def features_from(arrays: Arrays, path: Path) -> sp.csr_array | NDArray[Any] | None:
    """The features among an ``.npz`` file's arrays: dense as ``x``, CSR as ``x_indptr`` …, or none."""
    if "x" in arrays:
        return arrays["x"]
    if not any(name.startswith("x_") for name in arrays):
        return None
    if missing := {"x_indptr", "x_indices", "x_shape"} - set(arrays):
        lacking = ", ".join(sorted(missing))
        raise ValueError(f"{path} holds no features: it has no array {lacking}; a graph's file has {FORMAT}")
    indices, indptr = arrays["x_indices"], arrays["x_indptr"]
    data = arrays["x_data"] if "x_data" in arrays else np.ones(indices.size, np.float32)
    # Scipy wants one type for both, and torch's sparse kernels are faster on the smaller one.
    index = _smallest_type(indices.size, np.int32)
    stored = data, indices.astype(index), indptr.astype(index)
    try:
        matrix = sp.csr_array(stored, shape=tuple(arrays["x_shape"].tolist()))
        matrix.check_format(full_check=True)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} holds no valid features: {error}") from error
    return matrix


def _smallest_type(bound: int, least: type[np.signedinteger[Any]] = np.int16) -> type[np.signedinteger[Any]]:
    return next(kind for kind in (least, np.int32, np.int64) if bound <= np.iinfo(kind).max)
