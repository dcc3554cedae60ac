"""Seeds of a simulation, derived from the one that was passed in: none tells anything of another."""

from __future__ import annotations

from hashlib import sha256

from hushgraph._settings import Settings
from hushgraph.datasets.digest import derived_seed
from hushgraph.graph import Graph
from hushgraph.split import Split

# Settings that change nothing of what is released.
NO_PART_OF_IT = ("random_state", "device")


def of_noise(model: Settings, random_state: int, graph: Graph, split: Split) -> int:
    """Another for every method, setting, split and content of the graph.

    Noise that two releases about the same people had in common would cancel in their difference.
    """
    settings = {name: value for name, value in model.get_params().items() if name not in NO_PART_OF_IT}
    kind = f"{type(model).__module__}.{type(model).__qualname__}"
    whom = [split.train, split.val, split.test]
    return derived_seed(graph, "noise of a curator", random_state, kind, settings, whom, graph.classes)


def of_weights(random_state: int) -> int:
    """Of the first weights; whoever sees the last ones may find it, since torch keeps 32 bits."""
    return hashed(f"first weights: {random_state}") % 2**63


def hashed(words: str) -> int:
    """SHA-256 as a number."""
    return int(sha256(words.encode()).hexdigest(), 16)
