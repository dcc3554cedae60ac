"""Options that commands share, and the values that their words stand for."""

from __future__ import annotations

import importlib
import operator
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from hushgraph import _check
from hushgraph.graph import Graph
from hushgraph.mechanisms import AnalyticGaussian, Laplace, MultiBit, OneBit
from hushgraph.mechanisms.protocol import FeatureMechanism

MECHANISMS = ("multi-bit", "one-bit", "laplace", "gaussian")
ModelFeatures = Literal["collected", "ones", "degree", "random"]
BackboneName = Literal["sage", "gcn", "gat", "gin"]

Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Makes it a simulation: noise, split and weights follow from it. Without it, noise is from the"
        " operating system.",
    ),
]
Classes = Annotated[
    str | None,
    typer.Option(
        help="The public list of classes, with commas between them; otherwise those in your labels, and the"
        " guarantee is a mere claim.",
        rich_help_panel="Data",
    ),
]
OwnMechanisms = Annotated[
    list[str] | None,
    typer.Option(
        "--own-mechanism", help="A mechanism of yours that the collection names, such as 'mine.noise:Mine'."
    ),
]
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


def imported(path: str) -> type[Any]:
    """A class of the user's own, by where it is, such as ``"mine.noise:Mine"``."""
    module, _, name = path.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module beside one's data, as python itself would find it
    try:
        found: type[Any] = operator.attrgetter(name)(importlib.import_module(module))
    except (ImportError, AttributeError, ValueError, SyntaxError) as error:
        raise ValueError(f"there is no {path!r} to import: {error}") from error
    return found


def make_mechanism(
    kind: str, epsilon: float, delta: float | None, low: float, high: float, clip: bool
) -> FeatureMechanism:
    """The mechanism that the options describe, by its name or by where to import it from."""
    if ":" in kind:
        settings = {"low": low, "high": high, "delta": delta, "clip": clip or None}
        given = {name: value for name, value in settings.items() if value is not None}
        own: FeatureMechanism = imported(kind)(epsilon, **given)
        return own
    _check.choice(kind, "--mechanism", MECHANISMS)
    if kind == "gaussian":
        return AnalyticGaussian(epsilon, delta, low, high, clip=clip)
    if delta is not None:
        raise ValueError("--delta is for --mechanism gaussian alone: the others need none")
    if kind == "multi-bit":
        return MultiBit(epsilon, low, high, clip=clip)
    return (OneBit if kind == "one-bit" else Laplace)(epsilon, low, high, clip=clip)


def load_graph(
    name: str | None, root: Path | None, edges: Path | None, features: Path | None, labels: Path | None,
    nodes: int | None, classes: str | None = None,
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
        public = None if classes is None else listed(classes)
        return datasets.read(edges=edges, features=features, labels=labels, classes=public)
    if classes is not None:
        raise ValueError("--classes is for your own labels; a named graph has its own")
    if edges or features or labels:
        raise ValueError(f"give the graph {name!r} or --edges, --features and --labels, not both")
    if name.endswith(".npz"):
        return datasets.read(name)
    if nodes is not None:
        return datasets.load(name, n=nodes)
    return datasets.load(name, root=root)
