"""``hushgraph train``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from hushgraph.assess import mean_and_interval
from hushgraph.cli import console
from hushgraph.cli.options import AsJson, Mechanism, Seed, StandIn, load_graph, make_mechanism, required
from hushgraph.collected import CollectedGraph
from hushgraph.experiment import Run, Setting, repeat
from hushgraph.graph import Graph
from hushgraph.mechanisms import RandomizedResponse
from hushgraph.methods import LPGNN

_DATA, _PRIVACY, _MODEL = "Data", "Privacy", "Model"


def train(
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
    mechanism: Annotated[
        Mechanism, typer.Option(help="For features.", rich_help_panel=_PRIVACY)
    ] = Mechanism.multi_bit,
    delta: Annotated[float | None, typer.Option(help="For gaussian.", rich_help_panel=_PRIVACY)] = None,
    low: Annotated[float, typer.Option(help="Public lower end of features.", rich_help_panel=_PRIVACY)] = 0.0,
    high: Annotated[
        float, typer.Option(help="Public upper end of features.", rich_help_panel=_PRIVACY)
    ] = 1.0,
    clip: Annotated[
        bool, typer.Option(help="Clip features into the range.", rich_help_panel=_PRIVACY)
    ] = False,
    rescale: Annotated[
        bool,
        typer.Option(
            help="Map each column to [0, 1] by its own extremes; the guarantee is then a mere claim.",
            rich_help_panel=_PRIVACY,
        ),
    ] = False,
    backbone: Annotated[str, typer.Option(help="sage, gcn, gat or gin.", rich_help_panel=_MODEL)] = "sage",
    k_x: Annotated[int, typer.Option(help="KProp steps on features.", rich_help_panel=_MODEL)] = 4,
    k_y: Annotated[int, typer.Option(help="KProp steps on labels.", rich_help_panel=_MODEL)] = 2,
    loss: Annotated[
        str, typer.Option(help="drop, forward or cross_entropy.", rich_help_panel=_MODEL)
    ] = "drop",
    use: Annotated[
        StandIn, typer.Option(help="Features that the model sees.", rich_help_panel=_MODEL)
    ] = StandIn.collected,
    epochs: Annotated[int, typer.Option(rich_help_panel=_MODEL)] = 500,
    learning_rate: Annotated[float, typer.Option(rich_help_panel=_MODEL)] = 0.01,
    weight_decay: Annotated[float, typer.Option(rich_help_panel=_MODEL)] = 0.001,
    dropout: Annotated[float, typer.Option(rich_help_panel=_MODEL)] = 0.5,
    selection: Annotated[
        str, typer.Option(help="paper, reference or last.", rich_help_panel=_MODEL)
    ] = "paper",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.", rich_help_panel=_MODEL)] = "auto",
    repeats: Annotated[int, typer.Option(min=1, help="Seeds from --seed on; each redraws everything.")] = 1,
    seed: Seed = 0,
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
    labels: Annotated[Path | None, typer.Option(help="Your labels.", rich_help_panel=_DATA)] = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a private collection and learn from it, or learn from a real collection.

    Half of the people train, a quarter validates, the rest is tested. Only noisy labels choose anything.

    Example: hushgraph train cora --epsilon-x 1 --epsilon-y 1 --k-x 2 --k-y 8 --repeats 3
    """
    with console.clear_errors():
        model = LPGNN(
            backbone,
            k_x=k_x,
            k_y=k_y,
            loss=loss,  # type: ignore[arg-type]
            features=str(use),
            epochs=epochs,
            learning_rate=learning_rate,
            weight_decay=weight_decay,
            dropout=dropout,
            selection=selection,  # type: ignore[arg-type]
            random_state=seed,
            device=device,
        )
        if collected is not None:
            if graph is not None:
                raise ValueError(f"give the graph {graph!r} or --collected, not both")
            fitted = _learn(model, CollectedGraph.load(collected))
            report: dict[str, Any] = {"collected": str(collected), **_describe(fitted)}
        else:
            noise = RandomizedResponse(required(epsilon_y, "--epsilon-y"))
            asked = None
            if use is StandIn.collected:
                budget = required(epsilon_x, "--epsilon-x")
                asked = make_mechanism(mechanism, budget, delta, low, high, clip)
            setting = Setting(asked, noise, model)
            truth = load_graph(graph, root, edges, features, labels, nodes)
            runs = _simulate(truth.rescaled() if rescale else truth, setting, range(seed, seed + repeats))
            fitted = runs[-1].model
            report = _summary(truth, runs)
            if save_collected is not None:
                runs[-1].collected.save(save_collected)
        if save is not None:
            fitted.save(save)
    if as_json:
        console.print_json(report)
        return
    table = Table(title="Result", title_justify="left", show_header=False)
    for name, value in report.items():
        if name not in ("guarantee", "accuracies"):
            table.add_row(name.replace("_", " "), str(value))
    console.output.print(table)
    console.output.print(str(fitted.guarantee), highlight=False)


def _learn(model: LPGNN, collection: CollectedGraph) -> LPGNN:
    with console.progress_bar() as bar:
        task = bar.add_task("learning", total=model.epochs)
        return model.fit(
            collection, progress=lambda epoch, _epochs, _score: bar.update(task, completed=epoch)
        )


def _simulate(graph: Graph, setting: Setting, seeds: range) -> list[Run]:
    with console.progress_bar() as bar:
        task = bar.add_task("learning", total=setting.model.epochs * len(seeds))
        return list(repeat(graph, setting, seeds, on_epoch=lambda *_: bar.advance(task)))


def _summary(graph: Graph, runs: list[Run]) -> dict[str, Any]:
    accuracies = [run.accuracy for run in runs]
    mean, half_width = mean_and_interval(accuracies)
    return {
        "graph": repr(graph),
        "test_accuracy": console.percent(mean, half_width if len(runs) > 1 else None),
        "accuracies": accuracies,
        "repeats": len(runs),
        "seconds_a_run": round(sum(run.seconds for run in runs) / len(runs), 2),
        **_describe(runs[-1].model),
    }


def _describe(model: LPGNN) -> dict[str, Any]:
    chosen = model.history_[model.best_epoch_ - 1]
    return {
        "best_epoch": f"{model.best_epoch_} of {model.epochs}",
        "validation_accuracy_on_noisy_labels": console.percent(chosen.val_accuracy),
        "guarantee": model.guarantee.to_dict(),
    }
