"""``hushgraph curate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from hushgraph.cli import console, options
from hushgraph.privacy import Guarantee
from hushgraph.privacy.ledger import Price
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.registry import CURATOR_METHODS

if TYPE_CHECKING:
    from hushgraph.graph import Graph


def curate(
    graph: options.GraphName = None,
    epsilon: Annotated[
        float | None, typer.Option(help="Budget of everything that is released; inf for no privacy.")
    ] = None,
    method: Annotated[str, typer.Option(help=f"How to learn: {', '.join(CURATOR_METHODS)}.")] = "gap",
    relation: Annotated[
        NeighboringRelation,
        typer.Option("--relation", "--adjacency", help="What must be hard to tell apart."),
    ] = "node-removal",
    delta: Annotated[
        float | None,
        typer.Option(help="By default the largest power of ten up to N^-1.5, for N people or pairs."),
    ] = None,
    max_degree: Annotated[
        int | None, typer.Option(help="Public cap on friendships; people above it are not covered.")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(help="How the budget is split, such as 'encoder=1,aggregation=2,classifier=1'."),
    ] = None,
    setting: options.Settings = None,
    seed: options.Seed = None,
    save: options.Save = None,
    nodes: options.Nodes = None,
    root: options.Root = None,
    edges: options.Edges = None,
    features: options.Features = None,
    labels: options.Labels = None,
    classes: options.Classes = None,
    ledger: options.LedgerPath = None,
    as_json: options.AsJson = False,
) -> None:
    """Learn as a trusted curator who holds the graph, and protect people or friendships in what is released.

    Three quarters of the people train, a tenth validates where that costs nothing, the rest is tested. What
    is printed and saved here is for the curator; the statement says what may leave. With --ledger everybody
    in the graph pays for it, and nothing is learned that somebody cannot pay for.

    Example: hushgraph curate cora --method gap --epsilon 4 --relation edge
    """
    from hushgraph.metrics import accuracy
    from hushgraph.split import random_split

    with console.clear_errors():
        given = {
            "epsilon": options.required(epsilon, "--epsilon"), "relation": relation, "delta": delta,
            "max_degree": max_degree, "budget": _shares(budget), "random_state": seed,
        }  # fmt: skip
        charged = options.open_ledger(ledger, simulated=seed is not None)
        model = options.make_model(CURATOR_METHODS, method, given, setting)
        truth = options.load_graph(graph, root, edges, features, labels, nodes, classes)
        split = random_split(truth, train=0.75, val=0.1, seed=seed or 0, everyone=True)
        tested = split.test[truth.labels[split.test] >= 0]
        if charged is not None:
            # Before anything is learned: a run that fails has told something too.
            charged.spend(*_price(truth, method, relation, model.promise(truth, split)))
        with console.progress_bar() as bar:
            task = bar.add_task("learning", total=100)
            model.fit(
                truth,
                split,
                progress=lambda share: bar.update(task, completed=round(100 * share)),
            )
        # How many friendships there are and how well people are guessed is computed from their data.
        guessed = accuracy(model, truth, tested) if tested.size else None
        private: dict[str, Any] = {"graph": repr(truth), "test_accuracy": guessed}
        if save is not None:
            model.save(save)
    if as_json:
        console.print_json({"method": method, "private": private, "guarantee": model.guarantee.to_dict()})
        return
    shown = "nobody who is tested has a label" if guessed is None else console.percent(guessed)
    facts = {"learned from": repr(truth), "test accuracy": shown}
    console.print_facts("Result (private: for the curator alone)", facts)
    console.say(model.guarantee)


def _price(truth: Graph, method: str, relation: NeighboringRelation, promised: Guarantee) -> Price:
    """Everybody in the graph pays, whether they train or not."""
    protected = "friendships of each person" if relation == "edge" else "all of each person"
    who = range(truth.num_nodes) if truth.ids is None else truth.ids
    return f"{truth.name}/{method}: {protected}", promised, who


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
