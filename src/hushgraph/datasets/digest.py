"""A graph's fingerprint: the same for the same content, wherever it was read from."""

from __future__ import annotations

import hashlib

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph.graph import Graph


def content_digest(graph: Graph, *, features: bool = True) -> str:
    """SHA-256 over a graph's arrays in canonical form, as 64 hexadecimal digits.

    The bytes of a file depend on how it was compressed; these do not. Hashed are, each behind its
    name and length and in little-endian order: ``edges`` (int32, ``u < v``, sorted), ``labels``
    (int64) and, unless ``features=False``, ``shape`` (int64) and the features' non-zero values in
    CSR form (``indptr`` int64, ``indices`` int32, ``data`` float32).

    Args:
        graph: the graph; its name, and whether its features are stored dense or sparse, is ignored.
        features: whether the features count.

    >>> graph = Graph(edges=[[0, 1], [1, 2]], features=np.eye(3), labels=[0, 1, 1])
    >>> turned = Graph(edges=[[2, 1], [1, 0]], features=sp.eye_array(3), labels=[0, 1, 1])
    >>> content_digest(graph) == content_digest(turned)
    True
    """
    digest = hashlib.sha256()
    for name, array in _canonical_arrays(graph, features).items():
        digest.update(f"{name}:{array.dtype.str}:{array.size}\n".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _canonical_arrays(graph: Graph, features: bool) -> dict[str, NDArray[np.generic]]:
    arrays: dict[str, NDArray[np.generic]] = {
        "edges": graph.edges.astype("<i4", copy=False),
        "labels": graph.labels.astype("<i8", copy=False),
    }
    if features:
        matrix = nonzero_features(graph)
        arrays["shape"] = np.array(matrix.shape, "<i8")
        arrays["indptr"] = matrix.indptr.astype("<i8")
        arrays["indices"] = matrix.indices.astype("<i4", copy=False)
        arrays["data"] = matrix.data.astype("<f4", copy=False)
    return arrays


def nonzero_features(graph: Graph) -> sp.csr_array:
    """The features in CSR form with sorted columns and no stored zeros."""
    matrix = sp.csr_array(graph.features)
    if not matrix.data.all():
        matrix = matrix.copy()
        matrix.eliminate_zeros()
    return matrix
