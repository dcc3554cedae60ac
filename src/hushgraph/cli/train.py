"""``hushgraph train``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from hushgraph.cli import console
from hushgraph.cli.options import (
    AsJson,
    BackboneName,
    Classes,
    ModelFeatures,
    OwnMechanisms,
    Seed,
    imported,
    load_graph,
    make_mechanism,
    refuse,
    required,
)
from hushgraph.collection.collected import CollectedGraph
from hushgraph.denoise import Structure
from hushgraph.graph import Graph
from hushgraph.local import LPGNN
from hushgraph.local.objective import Loss
from hushgraph.local.selection import Selection
from hushgraph.mechanisms import AdjacencyRandomizedResponse, RandomizedResponse
from hushgraph.metrics import mean_and_interval
from hushgraph.repeats import Run, Setting, repeat

_DATA, _PRIVACY, _MODEL = "Data", "Privacy", "Model"
# Options that say how features are asked for, and all that only a simulation uses.
ASKING = ("epsilon_x", "mechanism", "delta", "low", "high", "clip", "rescale")
SOURCES = ("graph", "nodes", "root", "edges", "features", "labels", "classes")
SIMULATION = (*SOURCES, *ASKING, "epsilon_y", "epsilon_a", "repeats", "save_collected")


def train(
    context: typer.Context,
    graph: Annotated[
        str | None, typer.Argument(help="A graph's name ('cora', 'social', …) or an npz file.")
    ] = None,
    epsilon_x: Annotated[
        float | None,
        typer.Option(help="Budget of a person's features; inf for no privacy.", rich_help_panel=_PRIVACY),
    ] = None,
    epsilon_y: Annotated[
        float | None,
        typer.Option(help="Budget of a person's label; inf for no privacy.", rich_help_panel=_PRIVACY),
    ] = None,
    epsilon_a: Annotated[
        float | None,
        typer.Option(
            help="Budget of each entry of a neighbour list (a friendship stands in two lists); "
            "without it, the graph is public.",
            rich_help_panel=_PRIVACY,
        ),
    ] = None,
    mechanism: Annotated[
        str,
        typer.Option(
            help="What devices do to features: multi-bit, one-bit, laplace, gaussian; or your own, such as"
            " 'mine.noise:Mine'.",
            rich_help_panel=_PRIVACY,
        ),
    ] = "multi-bit",
    delta: Annotated[
        float | None, typer.Option(help="Needed by the gaussian mechanism.", rich_help_panel=_PRIVACY)
    ] = None,
    low: Annotated[float, typer.Option(help="Public lower end of features.", rich_help_panel=_PRIVACY)] = 0.0,
    high: Annotated[
        float, typer.Option(help="Public upper end of features.", rich_help_panel=_PRIVACY)
    ] = 1.0,
    clip: Annotated[
        bool, typer.Option("--clip", help="Clip features into the range.", rich_help_panel=_PRIVACY)
    ] = False,
    rescale: Annotated[
        bool,
        typer.Option(
            "--rescale",
            help="Map each column to [0, 1] by its own extremes; the guarantee is then a mere claim.",
            rich_help_panel=_PRIVACY,
        ),
    ] = False,
    backbone: Annotated[
        BackboneName, typer.Option(help="The graph neural network.", rich_help_panel=_MODEL)
    ] = "sage",
    k_x: Annotated[int, typer.Option(help="KProp steps on features.", rich_help_panel=_MODEL)] = 4,
    k_y: Annotated[int, typer.Option(help="KProp steps on labels.", rich_help_panel=_MODEL)] = 2,
    loss: Annotated[
        Loss, typer.Option(help="How noisy labels are learned from.", rich_help_panel=_MODEL)
    ] = "drop",
    model_features: Annotated[
        ModelFeatures,
        typer.Option(help="Collected ones, or stand-ins that cost no privacy.", rich_help_panel=_MODEL),
    ] = "collected",
    structure: Annotated[
        Structure, typer.Option(help="What is made of private neighbour lists.", rich_help_panel=_MODEL)
    ] = "blocks",
    epochs: Annotated[int, typer.Option(help="Steps of Adam, full batch.", rich_help_panel=_MODEL)] = 500,
    learning_rate: Annotated[float, typer.Option(help="Of Adam.", rich_help_panel=_MODEL)] = 0.01,
    weight_decay: Annotated[float, typer.Option(help="Of Adam.", rich_help_panel=_MODEL)] = 0.001,
    dropout: Annotated[float, typer.Option(help="After the hidden layer.", rich_help_panel=_MODEL)] = 0.5,
    selection: Annotated[
        Selection, typer.Option(help="How the epoch is chosen.", rich_help_panel=_MODEL)
    ] = "paper",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.", rich_help_panel=_MODEL)] = "auto",
    repeats: Annotated[
        int, typer.Option(min=1, help="How often, with --seed; each time redraws everything.")
    ] = 1,
    seed: Seed = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the (last) model here, for 'hushgraph predict'.")
    ] = None,
    save_collected: Annotated[Path | None, typer.Option(help="Write the (last) collection here.")] = None,
    collected: Annotated[
        Path | None,
        typer.Option(help="Learn from this collection instead of a simulated one.", rich_help_panel=_DATA),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(help="Size of the graph 'social'.", rich_help_panel=_DATA)
    ] = None,
    root: Annotated[Path | None, typer.Option(help="The data folder.", rich_help_panel=_DATA)] = None,
    edges: Annotated[Path | None, typer.Option(help="Your edge list.", rich_help_panel=_DATA)] = None,
    features: Annotated[Path | None, typer.Option(help="Your feature table.", rich_help_panel=_DATA)] = None,
    labels: Annotated[
        Path | None, typer.Option(help="Your labels; empty or -1 for none.", rich_help_panel=_DATA)
    ] = None,
    classes: Classes = None,
    own_mechanism: OwnMechanisms = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a private collection and learn from it, or learn from a real collection.

    Half of the people train, a quarter validates, the rest is tested. Only noisy labels choose anything.
    Without --seed every device draws from the operating system's randomness, and no run is like another.

    Example: hushgraph train cora --epsilon-x 1 --epsilon-y 1 --k-x 2 --k-y 8 --repeats 3 --seed 0
    """
    with console.clear_errors():
        model = LPGNN(
            backbone,
            k_x=k_x,
            k_y=k_y,
            loss=loss,
            features=model_features,
            structure=structure,
            epochs=epochs,
            learning_rate=learning_rate,
            weight_decay=weight_decay,
            dropout=dropout,
            selection=selection,
            random_state=seed or 0,
            device=device,
        )
        model.check_params()
        if collected is not None:
            refuse(context, SIMULATION, "is for simulations, and --collected learns from a real collection")
            own = map(imported, own_mechanism or ())
            fitted = _learn(model, CollectedGraph.load(collected, own))
            report: dict[str, Any] = {"collected": str(collected), **_described(fitted)}
        else:
            if model_features != "collected":
                refuse(
                    context, ASKING, f"is for collected features, not for --model-features {model_features}"
                )
            if epsilon_a is None:
                refuse(context, ["structure"], "is for private neighbour lists: give --epsilon-a")
            setting = Setting(
                features=make_mechanism(mechanism, required(epsilon_x, "--epsilon-x"), delta, low, high, clip)
                if model_features == "collected"
                else None,
                labels=RandomizedResponse(required(epsilon_y, "--epsilon-y")),
                model=model,
                edges=None if epsilon_a is None else AdjacencyRandomizedResponse(epsilon_a),
            )
            refuse(context, ["own_mechanism"], "is for --collected; name yours as --mechanism")
            if repeats > 1 and seed is None:
                raise ValueError(
                    "--repeats asks the same people several times, each time at the full budget: only a"
                    " simulation may, so give --seed"
                )
            truth = load_graph(graph, root, edges, features, labels, nodes, classes)
            runs = _simulate(truth.rescaled() if rescale else truth, setting, repeats, seed)
            fitted = runs[-1].model
            report = {"graph": repr(truth), **_assessed(runs), **_described(fitted)}
            if save_collected is not None:
                runs[-1].collected.save(save_collected)
        if save is not None:
            fitted.save(save)
    if as_json:
        console.print_json({**report, "guarantee": fitted.guarantee.to_dict()})
    else:
        _print(report)
        console.print_statement(fitted.guarantee)


def _learn(model: LPGNN, collection: CollectedGraph) -> LPGNN:
    with console.progress_bar() as bar:
        task = bar.add_task("learning", total=model.epochs)
        return model.fit(
            collection, progress=lambda epoch, _epochs, _score: bar.update(task, completed=epoch)
        )


def _simulate(graph: Graph, setting: Setting, repeats: int, seed: int | None) -> list[Run]:
    """Without a seed the noise is the operating system's; splits and weights are no secret either way."""
    with console.progress_bar() as bar:
        task = bar.add_task("learning", total=setting.model.epochs * repeats)
        first = seed or 0
        return list(
            repeat(
                graph,
                setting,
                range(first, first + repeats),
                seeded_noise=seed is not None,
                on_epoch=lambda *_: bar.advance(task),
            )
        )


def _assessed(runs: list[Run]) -> dict[str, Any]:
    accuracies = [run.accuracy for run in runs]
    mean, half_width = mean_and_interval(accuracies)
    return {
        "test_accuracy": mean,
        "half_width": half_width,
        "accuracies": accuracies,
        "seconds_a_run": sum(run.seconds for run in runs) / len(runs),
    }


def _described(model: LPGNN) -> dict[str, Any]:
    chosen = model.history_[model.best_epoch_ - 1]
    return {
        "best_epoch": model.best_epoch_,
        "epochs": len(model.history_),
        "noisy_validation_accuracy": chosen.val_accuracy,
    }


def _print(report: dict[str, Any]) -> None:
    table = Table(title="Result", title_justify="left", show_header=False)
    table.add_row("learned from", escape(report.get("graph") or report["collected"]))
    if "test_accuracy" in report:
        repeats = len(report["accuracies"])
        interval = report["half_width"] if repeats > 1 else None
        table.add_row("test accuracy", console.percent(report["test_accuracy"], interval))
        table.add_row("runs", f"{repeats} of {report['seconds_a_run']:.1f} s")
    table.add_row("best epoch", f"{report['best_epoch']} of {report['epochs']}")
    table.add_row("validation accuracy on noisy labels", console.percent(report["noisy_validation_accuracy"]))
    console.output.print(table)
