"""``hushgraph curate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.markup import escape
from rich.table import Table

from hushgraph.cli import console
from hushgraph.cli.options import AsJson, load_graph, required
from hushgraph.curator import DPDGC, DPMLP, DPSAGE, GAP, NIPGNN, CuratorMethod
from hushgraph.graph import Graph
from hushgraph.metrics import accuracy
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.split import random_split

MethodName = Literal["gap", "dpdgc", "dp-sage", "dp-mlp", "nip-gnn"]
METHODS: dict[str, type[CuratorMethod]] = {
    "gap": GAP, "dpdgc": DPDGC, "dp-sage": DPSAGE, "dp-mlp": DPMLP, "nip-gnn": NIPGNN,
}  # fmt: skip


def curate(
    graph: Annotated[
        str | None, typer.Argument(help="A graph's name ('cora', 'social', …) or an npz file.")
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option(help="Budget of everything that is released; inf for no privacy.")
    ] = None,
    method: Annotated[MethodName, typer.Option(help="How to learn.")] = "gap",
    relation: Annotated[
        NeighboringRelation, typer.Option(help="What must be hard to tell apart.")
    ] = "node-removal",
    delta: Annotated[
        float | None, typer.Option(help="Below 1/n; by default the largest power of ten below it.")
    ] = None,
    max_degree: Annotated[
        int | None, typer.Option(help="Public cap on friendships; those above are dropped.")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(help="How the budget is split, such as 'encoder=1,aggregation=2,classifier=1'."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="For simulations; without it, noise is from the operating system."),
    ] = None,
    nodes: Annotated[int | None, typer.Option(help="Size of the graph 'social'.")] = None,
    root: Annotated[Path | None, typer.Option(help="The data folder.")] = None,
    edges: Annotated[Path | None, typer.Option(help="Your edge list.")] = None,
    features: Annotated[Path | None, typer.Option(help="Your feature table.")] = None,
    labels: Annotated[Path | None, typer.Option(help="Your labels.")] = None,
    as_json: AsJson = False,
) -> None:
    """Learn as a trusted curator who holds the graph, and protect people or friendships in what is released.

    Three quarters of the people train, a tenth validates where that costs nothing, the rest is tested. What
    is printed here is for the curator; the statement says what may leave.

    Example: hushgraph curate cora --method gap --epsilon 4 --relation edge
    """
    with console.clear_errors():
        settings: dict[str, Any] = {"relation": relation, "random_state": seed}
        for name, value in (("delta", delta), ("max_degree", max_degree), ("budget", _shares(budget))):
            if value is not None:
                settings[name] = value
        model = _make(METHODS[method], required(epsilon, "--epsilon"), settings)
        truth = load_graph(graph, root, edges, features, labels, nodes)
        split = random_split(truth, train=0.75, val=0.1, seed=seed or 0, everyone=True)
        tested = split.test[truth.labels[split.test] >= 0]
        with console.progress_bar() as bar:
            task = bar.add_task("learning", total=100)
            model.fit(truth, split, progress=lambda share: bar.update(task, completed=round(100 * share)))
        report = {
            "graph": repr(truth),
            "method": method,
            "test_accuracy": accuracy(model, truth, tested),
            "dropped_friendships": model.dropped_edges_,
        }
    if as_json:
        console.print_json({**report, "guarantee": model.guarantee.to_dict()})
        return
    _print(report, truth)
    console.print_statement(model.guarantee)


def _make(kind: type[CuratorMethod], epsilon: float, settings: dict[str, Any]) -> CuratorMethod:
    known: Any = kind
    accepted = known(epsilon).get_params()
    unknown = [f"--{name.replace('_', '-')}" for name in settings if name not in accepted]
    if unknown:
        raise ValueError(f"{kind.__name__} has no {', '.join(unknown)}")
    model: CuratorMethod = known(epsilon, **settings)
    model.check_params()
    return model


def _shares(text: str | None) -> dict[str, float] | None:
    if text is None:
        return None
    try:
        parts = [part.split("=") for part in text.split(",")]
        shares = {name.strip(): float(value) for name, value in parts}
    except ValueError:
        raise ValueError(f"--budget must be like 'encoder=1,aggregation=2', got {text!r}") from None
    if len(shares) < len(parts):
        raise ValueError(f"--budget names a part twice: {text!r}")
    return shares


def _print(report: dict[str, Any], graph: Graph) -> None:
    table = Table(title="Result (private: for the curator)", title_justify="left", show_header=False)
    table.add_row("learned from", escape(report["graph"]))
    table.add_row("test accuracy", console.percent(report["test_accuracy"]))
    if report["dropped_friendships"]:
        dropped = f"{report['dropped_friendships']:,} of {graph.num_edges:,}"
        table.add_row("friendships above the cap, dropped", dropped)
    console.output.print(table)
