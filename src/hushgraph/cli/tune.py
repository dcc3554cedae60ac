"""``hushgraph tune``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as TerminalTable

from hushgraph.cli import console
from hushgraph.cli.options import AsJson, BackboneName, listed
from hushgraph.cli.progress import runs_bar
from hushgraph.experiments import tune as tuning
from hushgraph.experiments.formatting import name_of
from hushgraph.experiments.hyperparameters import OPTIMIZER, STEPS, Hyperparameters
from hushgraph.experiments.store import ResultStore
from hushgraph.local import LPGNN
from hushgraph.local.selection import Selection

_GRID = "What is tried"


def tune(
    datasets: Annotated[list[str], typer.Argument(help="Graphs, each searched for itself.")],
    epsilon_x: Annotated[str, typer.Option(help="Budgets of features, with commas; inf for none.")],
    epsilon_y: Annotated[str, typer.Option(help="Budgets of labels, with commas; inf for none.")],
    output: Annotated[Path, typer.Option(help="Where to write what was found.")] = Path("tuned.json"),
    runs: Annotated[
        Path, typer.Option(help="Folder for finished trials; trials in it are not repeated.")
    ] = Path("tuning"),
    features: Annotated[
        str, typer.Option(help="'private' and stand-ins: ones, one_hot_degree, random.")
    ] = tuning.PRIVATE,
    backbone: Annotated[BackboneName, typer.Option(help="The graph neural network.")] = "sage",
    selection: Annotated[Selection, typer.Option(help="How the epoch is chosen.")] = "reference",
    epochs: Annotated[int, typer.Option(min=1, help="Steps of Adam in each trial.")] = 500,
    repeats: Annotated[int, typer.Option(min=1, help="Collections to average the loss over.")] = 1,
    learning_rates: Annotated[str, typer.Option(rich_help_panel=_GRID)] = "0.0001,0.001,0.01",
    weight_decays: Annotated[str, typer.Option(rich_help_panel=_GRID)] = "0.0001,0.001,0.01",
    dropouts: Annotated[str, typer.Option(rich_help_panel=_GRID)] = "0,0.25,0.5,0.75",
    steps: Annotated[str, typer.Option(help="Of KProp.", rich_help_panel=_GRID)] = "0,2,4,8,16",
    jobs: Annotated[int, typer.Option(min=1, help="Processes at a time.")] = os.cpu_count() or 1,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    root: Annotated[Path | None, typer.Option(help="The data folder.")] = None,
    as_json: AsJson = False,
) -> None:
    """Search for hyper-parameters as the LPGNN paper does, by the validation loss on noisy labels alone.

    First Adam's settings at ε = 1 (for every finite budget) and ∞, then KProp's steps for every pair of
    budgets. It is post-processing of the reports and costs no privacy. 'hushgraph reproduce
    --hyperparameters' takes the result.

    Example: hushgraph tune cora --epsilon-x 0.1,1 --epsilon-y 1
    """
    with console.clear_errors():
        wanted = tuning.Search(
            datasets=tuple(datasets),
            epsilon_x=_numbers(epsilon_x, "--epsilon-x"),
            epsilon_y=_numbers(epsilon_y, "--epsilon-y"),
            features=tuple(listed(features)),
            backbone=backbone,
            selection=selection,
            epochs=epochs,
            learning_rates=_numbers(learning_rates, "--learning-rates"),
            weight_decays=_numbers(weight_decays, "--weight-decays"),
            dropouts=_numbers(dropouts, "--dropouts"),
            steps=_numbers(steps, "--steps", int),
            repeats=repeats,
        )
        found = searched(
            lambda results, how: tuning.search(wanted, results, **how),
            runs,
            "hushgraph tune",
            jobs=jobs,
            device=device,
            root=root,
        )
        found.write(output)
    if as_json:
        console.print_json(found.document())
        return
    console.output.print(_table(found))
    console.output.print(
        f"Written to {output}, for 'hushgraph reproduce --hyperparameters {output}'.", markup=False
    )


def searched(
    search: Callable[[ResultStore, dict[str, Any]], Hyperparameters],
    runs: Path,
    command: str,
    *,
    device: str,
    **how: Any,
) -> Hyperparameters:
    """What a search finds, with its trials kept in a folder and its progress shown."""
    LPGNN(device=device).check_params()
    results = ResultStore(runs, {"for": command}, warn=console.warn)
    results.prepare()
    try:
        with runs_bar() as show:
            return search(results, how | {"device": device, "on_progress": show, "on_failure": console.warn})
    except KeyboardInterrupt:
        console.messages.print("stopped; finished trials are kept, and the same command goes on")
        raise typer.Exit(130) from None


def _numbers(text: str, option: str, kind: Callable[[str], Any] = float) -> tuple[Any, ...]:
    try:
        return tuple(kind(word) for word in listed(text))
    except ValueError:
        raise ValueError(f"{option} must be numbers with commas between them, got {text!r}") from None


def _table(found: Hyperparameters) -> TerminalTable:
    names = ("graph", "features", "ε_x", "ε_y", "K_x", "K_y", "rate", "decay", "dropout")
    table = TerminalTable(*names, title="Lowest validation loss on noisy labels", title_justify="left")
    for (dataset, features, epsilon_x, epsilon_y), steps in sorted(found.steps.items()):
        adam = found.look_up(dataset, features, epsilon_x, epsilon_y)
        table.add_row(
            escape(name_of(dataset)),
            features,
            name_of(epsilon_x),
            name_of(epsilon_y),
            *(str(steps[name]) for name in STEPS),
            *(f"{adam[name]:g}" for name in OPTIMIZER),
        )
    return table
