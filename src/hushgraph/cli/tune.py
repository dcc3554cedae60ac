"""``hushgraph tune``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as TerminalTable

from hushgraph.choices import Selection
from hushgraph.cli import console
from hushgraph.cli.options import CORES, AsJson, Device, Jobs, Root, listed
from hushgraph.registry import BACKBONES

if TYPE_CHECKING:
    from hushgraph.experiments.hyperparameters import Hyperparameters
    from hushgraph.experiments.store import ResultStore

_GRID = "What is tried"


def tune(
    datasets: Annotated[list[str], typer.Argument(help="Graphs, each searched for itself.")],
    epsilon_x: Annotated[str, typer.Option(help="Budgets of features, with commas; inf for none.")],
    epsilon_y: Annotated[str, typer.Option(help="Budgets of labels, with commas; inf for none.")],
    output: Annotated[Path, typer.Option(help="Where to write what was found.")] = Path("tuned.json"),
    runs: Annotated[
        Path, typer.Option(help="Folder for finished trials; trials in it are not repeated.")
    ] = Path("tuning"),
    features: Annotated[str, typer.Option(help="'private' and stand-ins: ones, degree, random.")] = "private",
    backbone: Annotated[
        str, typer.Option(help=f"The graph neural network: {', '.join(BACKBONES)}.")
    ] = "sage",
    selection: Annotated[Selection, typer.Option(help="How the epoch is chosen.")] = "reference",
    epochs: Annotated[int, typer.Option(min=1, help="Steps of Adam in each trial.")] = 500,
    repeats: Annotated[int, typer.Option(min=1, help="Collections to average the loss over.")] = 1,
    learning_rates: Annotated[str, typer.Option(rich_help_panel=_GRID)] = "0.0001,0.001,0.01",
    weight_decays: Annotated[str, typer.Option(rich_help_panel=_GRID)] = "0.0001,0.001,0.01",
    dropouts: Annotated[str, typer.Option(rich_help_panel=_GRID)] = "0,0.25,0.5,0.75",
    steps: Annotated[str, typer.Option(help="Of KProp.", rich_help_panel=_GRID)] = "0,2,4,8,16",
    jobs: Jobs = CORES,
    device: Device = "auto",
    root: Root = None,
    as_json: AsJson = False,
) -> None:
    """Search for hyper-parameters as the LPGNN paper does, by the validation loss on noisy labels alone.

    First Adam's settings at ε = 1 (for every finite budget) and ∞, then KProp's steps for every pair of
    budgets. It is post-processing of the reports and costs no privacy. 'hushgraph reproduce
    --hyperparameters' takes the result.

    Example: hushgraph tune cora --epsilon-x 0.1,1 --epsilon-y 1
    """
    from hushgraph.experiments import tune as tuning

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
    from hushgraph.cli.progress import runs_bar
    from hushgraph.experiments.store import ResultStore
    from hushgraph.sparse.runtime import resolve_device

    resolve_device(device)
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
    from hushgraph.experiments.formatting import name_of
    from hushgraph.experiments.hyperparameters import OPTIMIZER, STEPS

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
