"""Options that commands share, and the values that their words stand for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import typer

from hushgraph.graph import Graph
from hushgraph.mechanisms import AnalyticGaussian, Laplace, MultiBit, OneBit
from hushgraph.mechanisms.protocol import FeatureMechanism

Mechanism = Literal["multi-bit", "one-bit", "laplace", "gaussian"]
ModelFeatures = Literal["collected", "ones", "degree", "random"]
BackboneName = Literal["sage", "gcn", "gat", "gin"]

Seed = Annotated[int, typer.Option(min=0, help="Seeds the split, the noise and the weights.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of a table.")]


def listed(text: str) -> list[str]:
    """The words of an option that takes several, with commas between them."""
    return [word.strip() for word in text.split(",") if word.strip()]


def required(epsilon: float | None, name: str) -> float:
    """A budget, which has no default: it must be somebody's decision."""
    if epsilon is None:
        raise ValueError(f"{name} is required: a number above 0, or 'inf' for no privacy")
    return epsilon


def refuse(context: typer.Context, names: Iterable[str], why: str) -> None:
    """Refuses options that were given and would be ignored."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise ValueError(f"{'the graph' if name == 'graph' else '--' + name.replace('_', '-')} {why}")


def make_mechanism(
    kind: Mechanism, epsilon: float, delta: float | None, low: float, high: float, clip: bool
) -> FeatureMechanism:
    """The mechanism that the options describe."""
    if kind == "gaussian":
        return AnalyticGaussian(epsilon, delta, low, high, clip=clip)
    if delta is not None:
        raise ValueError("--delta is for --mechanism gaussian alone: the others need none")
    if kind == "multi-bit":
        return MultiBit(epsilon, low, high, clip=clip)
    return (OneBit if kind == "one-bit" else Laplace)(epsilon, low, high, clip=clip)


def load_graph(
    name: str | None, root: Path | None, edges: Path | None, features: Path | None, labels: Path | None,
    nodes: int | None,
) -> Graph:  # fmt: skip
    """A named graph, an npz file, or one's own tables."""
    from hushgraph import datasets

    if nodes is not None and name != "social":
        raise ValueError(
            f"--nodes is for the built-in graph 'social' alone, not for {name or 'your own tables'}"
        )
    if name is None:
        if edges is None or features is None or labels is None:
            raise ValueError(
                "name a graph (see 'hushgraph datasets'), or give --edges, --features and --labels"
            )
        return datasets.read(edges=edges, features=features, labels=labels)
    if edges or features or labels:
        raise ValueError(f"give the graph {name!r} or --edges, --features and --labels, not both")
    if name.endswith(".npz"):
        return datasets.read(name)
    if nodes is not None:
        return datasets.load(name, n=nodes)
    return datasets.load(name, root=root)
