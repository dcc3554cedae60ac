"""A graph's fingerprint: the same for the same content, wherever it was read from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from hushgraph.graph import Graph


def content_digest(graph: Graph, *, features: bool = True, behind: str = "") -> str:
    """SHA-256 over a graph's arrays in canonical form, as 64 hexadecimal digits.

    The bytes of a file depend on how it was compressed; these do not. Hashed are, each behind its
    name and length and in little-endian order: ``edges`` (int32, ``u < v``, sorted), ``labels``
    (int64) and, unless ``features=False``, ``shape`` (int64) and the features' non-zero values in
    CSR form (``indptr`` int64, ``indices`` int32, ``data`` float32). Whatever stands ``behind`` another
    text is another digest, which nobody can tell from the plain one.

    >>> graph = Graph(edges=[[0, 1], [1, 2]], features=np.eye(3), labels=[0, 1, 1])
    >>> turned = Graph(edges=[[2, 1], [1, 0]], features=sp.eye_array(3), labels=[0, 1, 1])
    >>> content_digest(graph) == content_digest(turned)
    True
    """
    arrays: dict[str, tuple[Any, str]] = {"edges": (graph.edges, "<i4"), "labels": (graph.labels, "<i8")}
    if features:
        matrix = nonzero_features(graph)
        arrays |= {"shape": (np.array(matrix.shape), "<i8"), "indptr": (matrix.indptr, "<i8")}
        arrays |= {"indices": (matrix.indices, "<i4"), "data": (matrix.data, "<f4")}
    digest = hashlib.sha256(behind.encode())
    for name, (array, kind) in arrays.items():
        digest.update(f"{name}:{kind}:{array.size}\n".encode())
        digest.update(np.ascontiguousarray(array, kind).data)
    return digest.hexdigest()


def derived_seed(graph: Graph, *words: Any) -> int:
    """256 bits of SHA-256 over plain values, arrays and the content of a graph."""
    return int(content_digest(graph, behind=json.dumps(words, default=_plain)), 16)


def nonzero_features(graph: Graph) -> sp.csr_array:
    """The features in CSR form with sorted columns and no stored zeros."""
    matrix = sp.csr_array(graph.features)
    if not matrix.data.all():
        matrix = matrix.copy()
        matrix.eliminate_zeros()
    return matrix


def _plain(value: Any) -> Any:
    """A mapping, or an array or number of another library, as JSON has it; anything else in words."""
    if isinstance(value, Mapping):
        return dict(value)
    return value.tolist() if hasattr(value, "tolist") else repr(value)
