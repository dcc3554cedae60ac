"""Options that commands share, and the values that they stand for.

Nothing here imports torch: what computes is imported when a command runs.
"""

from __future__ import annotations

import ast
import inspect
import os
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from hushgraph import registry
from hushgraph._check import choice
from hushgraph.privacy import Ledger
from hushgraph.registry import Registry

if TYPE_CHECKING:
    from hushgraph.graph import Graph

Budget = TypeVar("Budget", float, str)
CORES = os.cpu_count() or 1
# Options that are not called as the setting that they are.
OPTION_OF = {"features": "--model-features"}
data_option = partial(typer.Option, rich_help_panel="Data")

GraphName = Annotated[str | None, typer.Argument(help="A graph's name ('cora', 'social', …) or an npz file.")]
Nodes = Annotated[int | None, data_option(help="Size of the graph 'social'.")]
Root = Annotated[Path | None, data_option(help="The data folder; by default HUSHGRAPH_DATA or the cache.")]
Edges = Annotated[Path | None, data_option(help="Your edge list.")]
Features = Annotated[Path | None, data_option(help="Your feature table, if people have features.")]
Labels = Annotated[Path | None, data_option(help="Your labels; empty or -1 for none.")]
Classes = Annotated[
    str | None,
    data_option(
        help="The public list of classes, with commas between them; otherwise those in your labels, and the"
        " guarantee is a mere claim."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Makes it a simulation: noise, split and weights follow from it. Without it, noise is from the"
        " operating system.",
    ),
]
OwnMechanisms = Annotated[
    list[str] | None,
    typer.Option(
        "--own-mechanism", help="A mechanism of yours that the collection names, such as 'mine.noise:Mine'."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--setting", help="Any other setting of the method, such as 'lambda_1=0.001'; repeatable."),
]
Save = Annotated[Path | None, typer.Option(help="Write the (last) model here, for 'hushgraph predict'.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes at a time.")]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda.")]
Datasets = Annotated[str | None, typer.Option(help="Only these graphs, with commas between them.")]
LedgerPath = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        help="Charge everybody here, by id or by number, or refuse; 'hushgraph ledger' makes and shows it.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of a table.")]


def listed(text: str) -> list[str]:
    """The words of an option that takes several, with commas between them."""
    return [word.strip() for word in text.split(",") if word.strip()]


def required(epsilon: Budget | None, name: str, what: str = "a number above 0") -> Budget:
    """A budget, which has no default: it must be somebody's decision."""
    if epsilon is None:
        raise ValueError(f"{name} is required: {what}, or 'inf' for no privacy")
    return epsilon


def refuse(context: typer.Context, names: Iterable[str], why: str) -> None:
    """Refuses options that were given and would be ignored."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise ValueError(f"{'the graph' if name == 'graph' else '--' + name.replace('_', '-')} {why}")


def open_ledger(path: Path | None, *, simulated: bool) -> Ledger | None:
    """The ledger to charge, where one is named."""
    if path is None:
        return None
    if simulated:
        raise ValueError("--ledger: a simulation protects nobody and cannot be charged")
    return Ledger.open(path)


def imported(path: str) -> Any:
    """A class of the user's own, by where it is, such as ``"mine.noise:Mine"``."""
    look_here()
    return registry.imported(path)


def look_here() -> None:
    """Lets a module beside one's data be found, as python itself would find it."""
    if "" not in sys.path:
        sys.path.insert(0, "")


def make_model(methods: Registry, name: str, options: Mapping[str, Any], more: Iterable[str] | None) -> Any:
    """The unfitted model of these options; what is None is the method's own default."""
    kind = methods[choice(name, "--method", methods)].load()
    given = {option: value for option, value in options.items() if value is not None}
    known = _settings(kind)
    if unknown := [option for option in given if option not in known]:
        words = ", ".join(OPTION_OF.get(option, f"--{option.replace('_', '-')}") for option in unknown)
        raise ValueError(f"{kind.__name__} has no {words}{_whose(methods, unknown)}")
    for word in more or ():
        setting, _, text = word.partition("=")
        if setting not in known and (others := _whose(methods, [setting])):
            raise ValueError(f"{kind.__name__} has no --setting {setting}{others}")
        choice(setting, "--setting", known)
        if setting in options:
            raise ValueError(f"--setting {setting}=… has an option of its own: see --help")
        given[setting] = _value(text)
    model = methods[name].make(**given)
    model.check_params()
    return model


def _settings(kind: Any) -> list[str]:
    _, *known = inspect.signature(kind.__init__).parameters
    return known


def _whose(methods: Registry, settings: Iterable[str]) -> str:
    """Which other methods have all of these settings, as the end of a refusal."""
    wanted = set(settings)
    have = [name for name, entry in methods.items() if wanted <= {*_settings(entry.load())}]
    if not have:
        return ""
    what = "a setting" if len(wanted) == 1 else "settings"
    return f": {what} of {' and '.join([', '.join(have[:-1]), have[-1]] if have[1:] else have)};" + (
        f" add --method {have[0]}"
    )


def _value(text: str) -> Any:
    """A number, True, None, …, or the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


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
        if edges is None or labels is None:
            raise ValueError(
                "name a graph (see 'hushgraph datasets'), or give --edges, --labels and, if there are any,"
                " --features"
            )
        public = None if classes is None else listed(classes)
        return datasets.read(edges=edges, features=features, labels=labels, classes=public)
    if classes is not None:
        raise ValueError("--classes is for your own labels; a named graph has its own")
    if edges or features or labels:
        raise ValueError(f"give the graph {name!r} or tables of your own, not both")
    if nodes is not None:
        return datasets.load(name, n=nodes)
    return datasets.open_graph(name, root)
