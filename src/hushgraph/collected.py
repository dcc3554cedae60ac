"""What a server has: reports, noisy labels, the graph, and what was promised."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph._files import atomic_write
from hushgraph.mechanisms import (
    AdjacencyRandomizedResponse,
    Factored,
    Friendships,
    NeighbourLists,
    RandomizedResponse,
)
from hushgraph.privacy import Guarantee

FORMAT, FORMAT_WITH_LISTS = 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class CollectedGraph:
    """The reports of a collection, in the form that learning takes.

    A simulation (:func:`hushgraph.collect`) and a real collection produce this type. It holds no
    reference to what people hold.

    Attributes:
        edges: the public graph, each undirected edge once, ``u < v``, sorted, int32 (2, E); or, where people
            reported their neighbour lists, who names whom, as reported, sorted by both.
        features: the unbiased estimate of the features from the reports, :class:`Factored` or float32
            (n, d); None if features were not asked for.
        midpoint: what the server assumes of a feature about which nothing is known.
        labels: noisy labels, int64 (n,); -1 for those who gave none.
        train, val: which of those who gave a label are learned from and which are validated on.
        num_classes, num_features: how many labels and features the campaign asked about.
        label_noise: the mechanism that the labels went through; learning needs its probabilities.
        answered: who sent features and, where lists were asked for, a list; bool (n,).
        guarantee: what was protected.
        edge_noise: the mechanism that the lists went through; None if the graph is public.
    """

    edges: NDArray[np.int32]
    features: Factored | NDArray[np.float32] | None
    midpoint: float
    labels: NDArray[np.int64]
    train: NDArray[np.int64]
    val: NDArray[np.int64]
    num_classes: int
    num_features: int
    label_noise: RandomizedResponse
    answered: NDArray[np.bool_]
    guarantee: Guarantee
    edge_noise: AdjacencyRandomizedResponse | None = None

    def __post_init__(self) -> None:
        self._check_labels()
        self._check_features()
        self._check_graph()

    def _check_graph(self) -> None:
        if self.edges.ndim != 2 or self.edges.shape[0] != 2 or self.edges.dtype.kind not in "iu":
            raise ValueError(f"edges must be whole numbers of shape (2, E), got {self.edges.shape}")
        if self.edges.size and not (self.edges.min() >= 0 and self.edges.max() < self.num_nodes):
            raise ValueError(f"edges name nodes outside 0 … {self.num_nodes - 1}")
        if self.edge_noise is not None and not self.answered[self.lists.pairs[0]].all():
            raise ValueError("edges hold the list of somebody who did not answer")

    def _check_labels(self) -> None:
        if self.labels.ndim != 1 or self.labels.dtype.kind not in "iu":
            raise ValueError(f"labels must be whole numbers of shape (n,), got {self.labels.shape}")
        if self.num_classes < 2:
            raise ValueError(f"num_classes must be at least 2, got {self.num_classes}")
        if self.num_nodes == 0 or self.labels.min() < -1 or self.labels.max() >= self.num_classes:
            raise ValueError(f"labels must lie in 0 … {self.num_classes - 1}, or be -1 for none")
        if self.label_noise.num_classes != self.num_classes:
            raise ValueError(
                f"label_noise must be over {self.num_classes} classes, got {self.label_noise.num_classes}"
            )
        for name in ("train", "val"):
            ids = _check.node_ids(getattr(self, name), name, self.num_nodes)
            if (self.labels[ids] < 0).any():
                raise ValueError(f"{name} names people who gave no label")
        if np.intersect1d(self.train, self.val).size:
            raise ValueError("train and val must not share people")
        if self.train.size == 0:
            raise ValueError("no labelled person to train on: train is empty")

    def _check_features(self) -> None:
        if self.answered.shape != (self.num_nodes,):
            raise ValueError(f"answered must have shape ({self.num_nodes},), got {self.answered.shape}")
        asked = (self.num_nodes, self.num_features)
        if self.features is not None and self.features.shape != asked:
            raise ValueError(f"features must have shape {asked}, got {self.features.shape}")
        if isinstance(self.features, np.ndarray) and not np.isfinite(self.features).all():
            raise ValueError("features must be finite")

    @property
    def num_nodes(self) -> int:
        """The number of people, n."""
        return int(self.labels.size)

    @property
    def lists(self) -> NeighbourLists:
        """The neighbour lists as people reported them."""
        if self.edge_noise is None:
            raise ValueError("this collection did not ask for neighbour lists: its graph is public")
        return NeighbourLists.from_pairs(self.edges[0], self.edges[1], self.num_nodes)

    @property
    def friendships(self) -> Friendships:
        """What the two lists of each pair say together."""
        lists = self.lists
        assert self.edge_noise is not None
        return self.edge_noise.friendships(lists, self.answered)

    def __repr__(self) -> str:
        kind = "edges" if self.edge_noise is None else "names in lists"
        who = 0 if self.features is None else int(self.answered.sum())
        return (
            f"CollectedGraph({self.num_nodes:,} nodes, {self.edges.shape[1]:,} {kind}, "
            f"{self.num_features:,} features from {who:,} people, "
            f"{self.train.size + self.val.size:,} labels, {self.guarantee.strength})"
        )

    def save(self, path: str | Path) -> None:
        """Writes an npz file; a kill at any moment leaves the old file or the new one."""
        header = {
            "format": FORMAT if self.edge_noise is None else FORMAT_WITH_LISTS,
            "midpoint": self.midpoint,
            "num_classes": self.num_classes,
            "num_features": self.num_features,
            "label_epsilon": str(self.label_noise.epsilon),
            "edge_epsilon": None if self.edge_noise is None else str(self.edge_noise.epsilon),
            "guarantee": self.guarantee.to_dict(),
        }
        arrays: dict[str, Any] = {
            name: getattr(self, name) for name in ("edges", "labels", "train", "val", "answered")
        }
        if isinstance(self.features, Factored):
            header["offset"] = self.features.offset
            arrays |= {
                f"features_{part}": getattr(self.features, part) for part in ("indptr", "indices", "data")
            }
        elif self.features is not None:
            arrays["features"] = self.features
        with atomic_write(path) as file:
            np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)

    @classmethod
    def load(cls, path: str | Path) -> CollectedGraph:
        """Reads what :meth:`save` wrote."""
        try:
            with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            header = json.loads(str(arrays["header"]))
            if header["format"] not in (FORMAT, FORMAT_WITH_LISTS):
                raise ValueError(
                    f"format {header['format']}, but this version reads {FORMAT} and {FORMAT_WITH_LISTS}"
                )
            features: Any = arrays.get("features")
            if "features_data" in arrays:
                indptr, indices, data = (arrays[f"features_{part}"] for part in ("indptr", "indices", "data"))
                shape = (arrays["labels"].size, header["num_features"])
                features = Factored(indptr, indices, data, shape, header["offset"])
            edge_epsilon = header.get("edge_epsilon")
            return cls(
                features=features,
                midpoint=header["midpoint"],
                num_classes=header["num_classes"],
                num_features=header["num_features"],
                label_noise=RandomizedResponse(float(header["label_epsilon"]), header["num_classes"]),
                guarantee=Guarantee.from_dict(header["guarantee"]),
                edge_noise=edge_epsilon and AdjacencyRandomizedResponse(float(edge_epsilon)),
                **{name: arrays[name] for name in ("edges", "labels", "train", "val", "answered")},
            )
        except FileNotFoundError:
            raise
        except Exception as error:
            raise ValueError(f"{path} is not a readable collection: {error}") from error
