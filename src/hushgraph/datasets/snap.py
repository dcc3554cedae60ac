"""Attributed social networks in the archives of SNAP, the Stanford Network Analysis Project."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph.datasets.download import download
from hushgraph.graph import Graph


@dataclass(frozen=True, slots=True)
class SnapArchive:
    """A zip of ``*_edges.csv``, ``*_features.json`` and ``*_target.csv``.

    The edges have a header and two columns of node ids. The features are ``{node id: [feature id,
    …]}``, binary; an id that stands twice counts once. The target has the columns ``id`` and
    ``label_column``. Nodes are numbered by id; self-loops and duplicate edges are dropped.

    Args:
        address, label_column: where the zip is published, and the target's column that holds the class.
        num_features: how many features there are, also where the last ones belong to nobody; 0 leaves them
            unread.
        class_names: for classes given as words, each word at its number.
    """

    address: str
    label_column: str
    num_features: int
    class_names: tuple[str, ...] = ()

    def fetch(self, scratch: Path) -> Graph:
        """Download the archive and parse it."""
        return self.parse(download(self.address, scratch / "archive.zip"))

    def parse(self, archive: Path | IO[bytes]) -> Graph:
        """The graph in an archive, given as a path or an open file."""
        try:
            with zipfile.ZipFile(archive) as files:
                labels = self._labels(_rows(files, "_target.csv"))
                features = None
                if self.num_features:
                    features = self._features(_json(files, "_features.json"), labels.size)
                edges = [(int(row[0]), int(row[1])) for row in list(_rows(files, "_edges.csv"))[1:]]
        except (zipfile.BadZipFile, KeyError, IndexError, TypeError, ValueError, EOFError) as error:
            raise ValueError(f"the archive is not in the layout of {self.address}: {error}") from error
        return Graph(edges=np.array(edges, np.int32).T, features=features, labels=labels)

    def _labels(self, rows: Iterator[list[str]]) -> NDArray[np.int64]:
        header = next(rows)
        ids, classes = header.index("id"), header.index(self.label_column)
        by_id = {int(row[ids]): row[classes] for row in rows}
        # Indexing by 0 … n - 1 also refuses a file whose ids have gaps.
        words = [by_id[node] for node in range(len(by_id))]
        return np.array([self.class_names.index(w) if self.class_names else int(w) for w in words], np.int64)

    def _features(self, lists: dict[str, list[int]], num_nodes: int) -> sp.csr_array:
        rows = [np.unique(np.array(lists[str(node)], np.int32)) for node in range(num_nodes)]
        indptr = np.cumsum([0, *(row.size for row in rows)])
        indices, shape = np.concatenate(rows), (num_nodes, self.num_features)
        matrix = sp.csr_array((np.ones(indices.size, np.float32), indices, indptr), shape=shape)
        matrix.check_format(full_check=True)
        return matrix


def _member(files: zipfile.ZipFile, ending: str) -> IO[bytes]:
    # Archives made on a Mac carry a second, hidden entry for every file.
    names = [n for n in files.namelist() if n.endswith(ending) and not Path(n).name.startswith(".")]
    if len(names) != 1:
        raise ValueError(f"it has {len(names)} files *{ending}, not one")
    return files.open(names[0])


def _rows(files: zipfile.ZipFile, ending: str) -> Iterator[list[str]]:
    with io.TextIOWrapper(_member(files, ending), encoding="utf-8", newline="") as text:
        yield from csv.reader(text)


def _json(files: zipfile.ZipFile, ending: str) -> Any:
    with _member(files, ending) as file:
        return json.load(file)
