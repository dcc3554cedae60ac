"""What a server has: a campaign, its reports, the graph; and what follows from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph._files import atomic_write
from hushgraph.collection import estimates
from hushgraph.collection.campaign import Campaign, Question
from hushgraph.collection.friendships import Friendships
from hushgraph.collection.reports import Refusal, Reports
from hushgraph.collection.screening import screened
from hushgraph.mechanisms import Factored, NeighborLists
from hushgraph.mechanisms.protocol import ListMechanism
from hushgraph.privacy import Guarantee

FORMAT = 3


@dataclass(frozen=True, eq=False)
class CollectedGraph:
    """The reports of a collection, in the form that learning takes; :func:`hushgraph.assemble` makes it.

    It holds what was sent and nothing of what people hold. Estimates are derived from the reports.

    Attributes:
        campaign: what was asked.
        reports: what was sent, checked.
        num_nodes: how many people there are, n.
        edges: the public graph, each undirected edge once, ``u < v``, sorted, int32 (2, E); or, where people
            reported their neighbour lists, who names whom, as reported, sorted by both.
        train, val: which of those who gave a label are learned from and which are validated on. Nobody
            trains in a collection that is only to be scored.
        ids: what people are called, one text for each; None if they have numbers alone.
        refused: the reports that were not taken, and why.
    """

    campaign: Campaign
    reports: Reports
    num_nodes: int
    edges: NDArray[np.int32]
    train: NDArray[np.int64]
    val: NDArray[np.int64]
    ids: NDArray[np.str_] | None = None
    refused: tuple[Refusal, ...] = ()

    def __post_init__(self) -> None:
        if self.edges.ndim != 2 or self.edges.shape[0] != 2 or self.edges.dtype.kind not in "iu":
            raise ValueError(f"edges must be whole numbers of shape (2, E), got {self.edges.shape}")
        if self.edges.size and not (self.edges.min() >= 0 and self.edges.max() < self.num_nodes):
            raise ValueError(f"edges name nodes outside 0 … {self.num_nodes - 1}")
        for name in ("train", "val"):
            people = _check.node_ids(getattr(self, name), name, self.num_nodes)
            if (self.labels[people] < 0).any():
                raise ValueError(f"{name} names people who gave no label")
        _check.disjoint(self.train, self.val, self.num_nodes)
        if self.ids is not None and self.ids.shape != (self.num_nodes,):
            raise ValueError(f"ids must be {self.num_nodes}, one for each person; got {self.ids.shape}")

    @property
    def num_classes(self) -> int:
        """How many classes the campaign has, c."""
        return self.campaign.num_classes

    @property
    def num_features(self) -> int:
        """How many features the campaign knows, d."""
        return self.campaign.num_features

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes."""
        return self.campaign.classes

    @property
    def midpoint(self) -> float:
        """What the server assumes of a feature about which nothing is known."""
        return self.campaign.midpoint

    @cached_property
    def features(self) -> Factored | NDArray[np.float32] | None:
        """The unbiased estimate of the features, :class:`Factored` or float32 (n, d); None if none came."""
        return estimates.features(self.campaign, self.reports, self.num_nodes)

    @cached_property
    def feature_weights(self) -> NDArray[np.float64] | None:
        """How much each person's features count, by the inverse of their variance; None if all alike."""
        return estimates.feature_weights(self.campaign, self.reports, self.num_nodes)

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Noisy labels (n,); -1 for those who gave none."""
        noisy = np.full(self.num_nodes, -1, np.int64)
        for one in self.reports.of_question("label"):
            noisy[one.people] = one.parts["label"]
        return noisy

    @cached_property
    def label_channel(self) -> estimates.LabelChannel:
        """What randomised response did to everybody's label."""
        return estimates.label_channel(self.campaign, self.reports, self.num_nodes)

    @cached_property
    def answered(self) -> NDArray[np.bool_]:
        """Who sent features or, where these are not asked for, a list; bool (n,)."""
        return self._sent("features" if self.campaign.features else "lists")

    @property
    def edge_noise(self) -> ListMechanism | None:
        """The mechanism that the lists went through, of the highest level; None if the graph is public."""
        return self.campaign.lists[-1] if self.campaign.lists else None

    @property
    def lists(self) -> NeighborLists:
        """The neighbour lists as people reported them."""
        if self.edge_noise is None:
            raise ValueError("this collection did not ask for neighbour lists: its graph is public")
        return NeighborLists.from_pairs(self.edges[0], self.edges[1], self.num_nodes)

    @property
    def friendships(self) -> Friendships:
        """What the two lists of each pair say together."""
        lists, taken = self.lists, self.reports.levels("lists", self.num_nodes)
        flips = np.array([mechanism.flip_probability for mechanism in self.campaign.lists])
        return Friendships.reported(lists, flips[taken], taken >= 0)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of what was sent by whom, 64 hexadecimal digits: tells one collection from another."""
        digest = hashlib.sha256(self.campaign.id.encode())
        arrays = self.reports.arrays() | ({} if self.ids is None else {"ids": self.ids})
        for name, array in sorted(arrays.items()):
            digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    @property
    def guarantee(self) -> Guarantee:
        """What everybody is promised, whichever level they took; computed by the campaign."""
        return self._as_drawn(self.campaign.guarantee)

    def guarantee_of(self, person: int) -> Guarantee:
        """What one person is promised, by what they sent."""
        (person,) = _check.node_ids([person], "person", self.num_nodes)
        asked = self.campaign.asked
        taken = {name: int(self.reports.levels(name, self.num_nodes)[person]) for name in asked}
        sent: dict[Question, int] = {name: level for name, level in taken.items() if level >= 0}
        return self._as_drawn(self.campaign.guarantee_of(sent))

    def _as_drawn(self, promised: Guarantee) -> Guarantee:
        return promised.from_a_seed() if self.reports.simulated else promised

    def _sent(self, question: Question) -> NDArray[np.bool_]:
        return self.reports.levels(question, self.num_nodes) >= 0

    def __repr__(self) -> str:
        kind = "edges" if self.edge_noise is None else "names in lists"
        who = int(self._sent("features").sum())
        return (
            f"CollectedGraph({self.num_nodes:,} nodes, {self.edges.shape[1]:,} {kind}, "
            f"{self.num_features:,} features from {who:,} people, "
            f"{self.train.size + self.val.size:,} labels, {self.guarantee.strength})"
        )

    @classmethod
    def from_campaign(cls, source: Any, **more: Any) -> CollectedGraph:
        """What a collector has of a campaign: an export, and the graph.

        Args:
            source: a file that ``hushgraph collector export`` wrote, or a stream such as the answer of a
                collector. It may be exported while the campaign is still open.
            more: ``edges``, ``split``, ``ids`` and ``num_people``, as :func:`~hushgraph.assemble` takes them;
                ``mechanisms`` of one's own.
        """
        from hushgraph.collection.assemble import assemble_export

        return assemble_export(source, **more)

    def save(self, path: str | Path) -> None:
        """Writes an npz file; a kill at any moment leaves the old file or the new one."""
        stored = {name: getattr(self, name) for name in ("edges", "train", "val", "ids")}
        arrays = {name: array for name, array in stored.items() if array is not None}
        refused = [astuple(one) for one in self.refused]
        header = {"format": FORMAT, "num_nodes": self.num_nodes, "refused": refused}
        with atomic_write(path) as file:
            np.savez_compressed(
                file,
                allow_pickle=False,
                header=np.array(json.dumps(header)),
                campaign=np.array(self.campaign.to_json()),
                **arrays,
                **self.reports.arrays(),
            )

    @classmethod
    def load(cls, path: str | Path, mechanisms: Iterable[type[Any]] = ()) -> CollectedGraph:
        """Reads what :meth:`save` wrote; ``mechanisms`` are classes of one's own that the campaign names."""
        try:
            with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            header = json.loads(str(arrays["header"]))
            if header["format"] != FORMAT:
                raise ValueError(f"format {header['format']}, but this version reads {FORMAT}")
            campaign = Campaign.from_json(str(arrays["campaign"]), mechanisms)
            reports, refused = screened(campaign, Reports.from_arrays(arrays), header["num_nodes"])
            if refused:
                raise ValueError(f"{refused[0]}")
            return cls(
                campaign=campaign,
                reports=reports,
                num_nodes=header["num_nodes"],
                ids=arrays.get("ids"),
                refused=tuple(Refusal(*one) for one in header["refused"]),
                **{name: arrays[name] for name in ("edges", "train", "val")},
            )
        except FileNotFoundError:
            raise
        except Exception as error:
            raise ValueError(f"{path} is not a readable collection: {error}") from error
