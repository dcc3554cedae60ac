"""Everything that has a name: one line each, which the command, the studies and the charts read.

A line says how a thing is called in files and on the command line, how people write it, and where it is.
Nothing is imported until it is used. To add one of your own:

>>> METHODS.add("mine", "My method", "my.module:MyMethod")
>>> METHODS["mine"].title
'My method'
>>> METHODS.remove("mine")
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing with a name.

    Attributes:
        name: in files and on the command line, such as ``"multi-bit"``.
        title: as people write it.
        where: what to import, such as ``"hushgraph.mechanisms:MultiBit"``.
        settings: arguments that make it this variant.
    """

    name: str
    title: str
    where: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Any:
        """The class or function itself."""
        return imported(self.where)

    def make(self, *values: Any, **settings: Any) -> Any:
        """One of it; its own settings come first."""
        return self.load()(*values, **{**self.settings, **settings})


def imported(where: str) -> Any:
    """What stands there, such as the class at ``"mine.noise:Mine"``."""
    module, _, name = where.partition(":")
    try:
        return operator.attrgetter(name)(importlib.import_module(module))
    except (AttributeError, ValueError, SyntaxError) as error:
        raise ValueError(f"there is no {where!r} to import: {error}") from error
    except ModuleNotFoundError as error:
        if error.name not in (module, module.partition(".")[0]):
            raise
        raise ValueError(f"there is no {where!r} to import: {error}") from error


class Registry(Mapping[str, Entry]):
    """Things of one kind by name, in the order in which they were added."""

    def __init__(self, kind: str, *entries: Entry) -> None:
        self.kind = kind
        self._entries = {entry.name: entry for entry in entries}

    def add(self, name: str, title: str, where: str, **settings: Any) -> None:
        """Registers a thing; a name that is taken is refused."""
        if name in self._entries:
            raise ValueError(f"there is a {self.kind} named {name!r} already")
        self._entries[name] = Entry(name, title, where, settings)

    def remove(self, name: str) -> None:
        """Forgets a thing."""
        del self._entries[name]

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


FEATURES = Registry(
    "mechanism",
    Entry("multi-bit", "multi-bit", "hushgraph.mechanisms:MultiBit"),
    Entry("one-bit", "1-bit", "hushgraph.mechanisms:OneBit"),
    Entry("laplace", "Laplace", "hushgraph.mechanisms:Laplace"),
    Entry("gaussian", "analytic Gaussian", "hushgraph.mechanisms:AnalyticGaussian"),
)
"""Mechanisms for features."""

OTHERS = Registry(
    "mechanism",
    Entry("randomized-response", "randomised response", "hushgraph.mechanisms:RandomizedResponse"),
    Entry("neighbor-lists", "neighbor lists", "hushgraph.mechanisms:AdjacencyRandomizedResponse"),
)
"""Mechanisms for labels and lists."""

METHODS = Registry(
    "method",
    Entry("lpgnn", "LPGNN", "hushgraph.local:LPGNN"),
    Entry("solitude", "Solitude", "hushgraph.local:Solitude"),
    Entry("cascade", "Cascade", "hushgraph.local:Cascade"),
)
"""Methods that learn from a collection."""

CURATOR_METHODS = Registry(
    "method",
    Entry("gap", "GAP", "hushgraph.curator:GAP"),
    Entry("ballots", "noisy ballots", "hushgraph.curator:Ballots"),
    Entry("dpdgc", "DPDGC", "hushgraph.curator:DPDGC"),
    Entry("dp-sage", "DP-SAGE", "hushgraph.curator:DPSAGE"),
    Entry("dp-mlp", "DP-MLP", "hushgraph.curator:DPMLP"),
    Entry("nip-gnn", "NIP-GNN (sound)", "hushgraph.curator:NIPGNN"),
    Entry("nip-gnn-published", "NIP-GNN", "hushgraph.curator:PublishedNIPGNN"),
)
"""Methods of a trusted curator."""

_LPGNN = "hushgraph.local:LPGNN"
LIST_METHODS = Registry(
    "method",
    # The baselines are the Solitude paper's: Base smooths nothing, and LPGNN has no label noise to smooth
    # away (its authors have K_y = 0 for ε_y = ∞).
    Entry("base", "Base", _LPGNN, {"structure": "directed", "k_x": 0, "k_y": 0}),
    Entry("lpgnn", "LPGNN", _LPGNN, {"structure": "directed", "k_y": 0}),
    Entry("smoothing", "Solitude without calibration", _LPGNN, {"structure": "directed", "loss": "smoothed"}),
    Entry("solitude", "Solitude", "hushgraph.local:Solitude"),
    Entry("solitude-proximal", "Solitude, proximal steps", "hushgraph.local:Solitude", {"step": "proximal"}),
    Entry("either", "named by either", _LPGNN, {"structure": "either"}),
    Entry("both", "named by both", _LPGNN, {"structure": "both"}),
    Entry("posterior", "posterior", _LPGNN, {"structure": "posterior"}),
    Entry("degrees", "posterior, degrees", _LPGNN, {"structure": "degrees"}),
    Entry("blocks", "block posterior", _LPGNN, {"structure": "blocks"}),
)
"""What experiments make of private neighbor lists."""

ABLATIONS = Registry(
    "method",
    *(
        Entry(f"{whole.name}-{ablation}", f"{whole.title}, {title}", whole.where, settings)
        for whole in (CURATOR_METHODS["nip-gnn-published"], CURATOR_METHODS["nip-gnn"])
        for ablation, title, settings in (
            ("uniform-budget", "uniform noise", {"uniform": True}),
            ("no-degree-sampling", "no degree sampling", {"degree_sampling": False}),
            ("no-residual", "no residual", {"residual": False}),
        )
    ),
)
"""NIP-GNN without one of its ideas."""

# A plain GCN, trained until it knows its training labels by heart.
_BY_HEART = {
    "backbone": "gcn", "k_x": 0, "k_y": 0, "dropout": 0.0, "weight_decay": 0.0, "selection": "last",
    "epochs": 200,
}  # fmt: skip
UNPROTECTED = Registry(
    "method",
    Entry("gcn-overfitted", "GCN, not private", _LPGNN, _BY_HEART),
    Entry("gcn-structure", "GCN on degrees alone", _LPGNN, {**_BY_HEART, "features": "degree"}),
)
"""What attacks are tried on first: networks that protect nobody."""

_ATTACKS = "hushgraph.attacks"
ATTACKS = Registry(
    "attack",
    Entry("confidence", "confidence", f"{_ATTACKS}.membership:by_confidence"),
    Entry("tstf", "TSTF, shadow model", f"{_ATTACKS}.membership:by_shadow"),
    Entry("known-members", "known members", f"{_ATTACKS}.membership:by_shadow"),
    Entry("lira", "likelihood ratio", f"{_ATTACKS}.membership:by_likelihood_ratio"),
    Entry("attribute", "attribute, from posteriors", f"{_ATTACKS}.attributes:by_posteriors"),
    Entry("attribute-embeddings", "attribute, from embeddings", f"{_ATTACKS}.attributes:by_embeddings"),
    Entry("link-distance", "friends, by distance", f"{_ATTACKS}.links:by_distance"),
    Entry("link-known", "friends, by known pairs", f"{_ATTACKS}.links:by_known_pairs"),
    Entry("withheld", "withheld friendship", f"{_ATTACKS}.links:by_distance"),
    Entry("extraction", "extraction", f"{_ATTACKS}.extraction:by_queries"),
)
"""Attacks on what was trained."""

BACKBONES = Registry(
    "backbone",
    Entry("sage", "GraphSAGE", "hushgraph.nn:SAGELayer"),
    Entry("gcn", "GCN", "hushgraph.nn:GCNLayer"),
    Entry("gat", "GAT", "hushgraph.nn:GATLayer"),
    Entry("gin", "GIN", "hushgraph.nn:GINLayer"),
)
"""Layers of graph neural networks."""

DATASETS = Registry("graph", Entry("social", "social", "hushgraph.datasets:social"))
"""Functions that make a graph; of real graphs :mod:`hushgraph.datasets.named` tells."""


ALL = (
    FEATURES, OTHERS, METHODS, CURATOR_METHODS, LIST_METHODS, ABLATIONS, UNPROTECTED, ATTACKS,
    BACKBONES, DATASETS,
)  # fmt: skip


IMPORTED: list[str] = []
"""Modules of users that registered something, for processes that are started later."""


def import_modules(names: Iterable[str]) -> None:
    """Imports modules that register things when they are imported."""
    for name in names:
        importlib.import_module(name)
        IMPORTED.append(name)


def title_of(name: object) -> str | None:
    """How people write the name of anything here."""
    for registry in ALL:
        for entry in registry.values():
            if entry.name == name:
                return entry.title
    return None
