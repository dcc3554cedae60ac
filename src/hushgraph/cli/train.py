"""``hushgraph train``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from hushgraph.choices import Loss, ModelFeatures, Selection, Structure
from hushgraph.cli import console
from hushgraph.cli.options import (
    DATA,
    AsJson,
    Classes,
    Device,
    Edges,
    Features,
    GraphName,
    Labels,
    Nodes,
    OwnMechanisms,
    Root,
    Save,
    Seed,
    Settings,
    imported,
    load_graph,
    make_model,
    refuse,
    required,
)
from hushgraph.registry import BACKBONES, FEATURES, METHODS

if TYPE_CHECKING:
    from hushgraph.collection.collected import CollectedGraph
    from hushgraph.graph import Graph
    from hushgraph.local.local_method import LocalMethod
    from hushgraph.repeats import Repeat, Setting

_PRIVACY, _MODEL = "Privacy", "Model"
# Of an option whose default is the method's.
_OWN = {"show_default": "the method's own", "rich_help_panel": _MODEL}
# Options that say how features are asked for, and all that only a simulation uses.
ASKING = ("epsilon_x", "mechanism", "delta", "low", "high", "clip", "rescale")
SOURCES = ("graph", "nodes", "root", "edges", "features", "labels", "classes")
SIMULATION = (*SOURCES, *ASKING, "epsilon_y", "epsilon_a", "repeats", "save_collected")


def train(
    context: typer.Context,
    graph: GraphName = None,
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
            help=f"What devices do to features: {', '.join(FEATURES)}; or your own, such as"
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
    method: Annotated[
        str, typer.Option(help=f"How to learn: {', '.join(METHODS)}.", rich_help_panel=_MODEL)
    ] = "lpgnn",
    backbone: Annotated[
        str | None, typer.Option(help=f"The graph neural network: {', '.join(BACKBONES)}.", **_OWN)
    ] = None,
    k_x: Annotated[int | None, typer.Option(help="KProp steps on features.", **_OWN)] = None,
    k_y: Annotated[int | None, typer.Option(help="KProp steps on labels.", **_OWN)] = None,
    loss: Annotated[Loss | None, typer.Option(help="How noisy labels are learned from.", **_OWN)] = None,
    model_features: Annotated[
        ModelFeatures,
        typer.Option(help="Collected ones, or stand-ins that cost no privacy.", rich_help_panel=_MODEL),
    ] = "collected",
    structure: Annotated[
        Structure | None, typer.Option(help="What is made of private neighbour lists.", **_OWN)
    ] = None,
    epochs: Annotated[int | None, typer.Option(help="Steps of Adam, full batch.", **_OWN)] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Of Adam.", **_OWN)] = None,
    weight_decay: Annotated[float | None, typer.Option(help="Of Adam.", **_OWN)] = None,
    dropout: Annotated[float | None, typer.Option(help="After the hidden layer.", **_OWN)] = None,
    selection: Annotated[Selection | None, typer.Option(help="How the epoch is chosen.", **_OWN)] = None,
    setting: Settings = None,
    device: Device = "auto",
    repeats: Annotated[
        int, typer.Option(min=1, help="How often, with --seed; each time redraws everything.")
    ] = 1,
    seed: Seed = None,
    save: Save = None,
    save_collected: Annotated[Path | None, typer.Option(help="Write the (last) collection here.")] = None,
    collected: Annotated[
        Path | None,
        typer.Option(help="Learn from this collection instead of a simulated one.", rich_help_panel=DATA),
    ] = None,
    nodes: Nodes = None,
    root: Root = None,
    edges: Edges = None,
    features: Features = None,
    labels: Labels = None,
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
        options = {
            "backbone": backbone,
            "k_x": k_x,
            "k_y": k_y,
            "loss": loss,
            "features": None if model_features == "collected" else model_features,
            "structure": structure,
            "epochs": epochs,
            "learning_rate": learning_rate,
            "weight_decay": weight_decay,
            "dropout": dropout,
            "selection": selection,
            "random_state": seed or 0,
            "device": device,
        }
        model = make_model(METHODS, method, options, setting)
        if collected is not None:
            refuse(context, SIMULATION, "is for simulations, and --collected learns from a real collection")
            own = map(imported, own_mechanism or ())
            fitted = _learn(model, _loaded(collected, own))
            report: dict[str, Any] = {"collected": str(collected), **_described(fitted)}
        else:
            if model_features != "collected":
                refuse(
                    context, ASKING, f"is for collected features, not for --model-features {model_features}"
                )
            if epsilon_a is None:
                refuse(context, ["structure"], "is for private neighbour lists: give --epsilon-a")
            collecting = _setting(
                None
                if model_features != "collected"
                else {
                    "name": mechanism,
                    "epsilon": required(epsilon_x, "--epsilon-x"),
                    "delta": delta,
                    "low": low,
                    "high": high,
                    "clip": clip,
                },
                required(epsilon_y, "--epsilon-y"),
                epsilon_a,
                model,
            )
            refuse(context, ["own_mechanism"], "is for --collected; name yours as --mechanism")
            if repeats > 1 and seed is None:
                raise ValueError(
                    "--repeats asks the same people several times, each time at the full budget: only a"
                    " simulation may, so give --seed"
                )
            truth = load_graph(graph, root, edges, features, labels, nodes, classes)
            runs = _simulate(truth.rescaled() if rescale else truth, collecting, repeats, seed)
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


def _setting(
    asked: dict[str, Any] | None, epsilon_y: float, epsilon_a: float | None, model: LocalMethod
) -> Setting:
    """What devices do, and who learns from it."""
    from hushgraph.mechanisms import AdjacencyRandomizedResponse, RandomizedResponse
    from hushgraph.mechanisms.factory import feature_mechanism
    from hushgraph.repeats import Setting

    if asked is not None and ":" in asked["name"]:
        imported(asked["name"])  # beside one's data, too
    return Setting(
        features=None if asked is None else feature_mechanism(**asked),
        labels=RandomizedResponse(epsilon_y),
        model=model,
        edges=None if epsilon_a is None else AdjacencyRandomizedResponse(epsilon_a),
    )


def _loaded(path: Path, own: Any) -> CollectedGraph:
    from hushgraph.collection.collected import CollectedGraph

    return CollectedGraph.load(path, own)


def _learn(model: LocalMethod, collection: CollectedGraph) -> LocalMethod:
    with console.progress_bar() as bar:
        task = bar.add_task("learning", total=model.epochs)
        return model.fit(
            collection, progress=lambda epoch, _epochs, _score: bar.update(task, completed=epoch)
        )


def _simulate(graph: Graph, setting: Setting, repeats: int, seed: int | None) -> list[Repeat]:
    """Without a seed the noise is the operating system's; splits and weights are no secret either way."""
    from hushgraph.repeats import repeat

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


def _assessed(runs: list[Repeat]) -> dict[str, Any]:
    from hushgraph.metrics import mean_and_interval

    accuracies = [run.accuracy for run in runs]
    mean, half_width = mean_and_interval(accuracies)
    return {
        "test_accuracy": mean,
        "half_width": half_width,
        "accuracies": accuracies,
        "seconds_a_run": sum(run.seconds for run in runs) / len(runs),
    }


def _described(model: LocalMethod) -> dict[str, Any]:
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
