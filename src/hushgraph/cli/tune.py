"""``hushgraph tune`` and ``hushgraph tune-solitude``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from hushgraph.choices import Selection
from hushgraph.cli import console, options
from hushgraph.registry import BACKBONES

if TYPE_CHECKING:
    from hushgraph.experiments.hyperparameters import Hyperparameters

Output = Annotated[Path, typer.Option(help="Where to write what was found.")]
Trials = Annotated[Path, typer.Option(help="Folder for finished trials; trials in it are not repeated.")]
_grid = partial(typer.Option, rich_help_panel="What is tried")


def tune(
    datasets: Annotated[list[str], typer.Argument(help="Graphs, each searched for itself.")],
    epsilon_x: Annotated[str, typer.Option(help="Budgets of features, with commas; inf for none.")],
    epsilon_y: Annotated[str, typer.Option(help="Budgets of labels, with commas; inf for none.")],
    output: Output = Path("tuned.json"),
    runs: Trials = Path("tuning"),
    features: Annotated[str, typer.Option(help="'private' and stand-ins: ones, degree, random.")] = "private",
    backbone: Annotated[
        str, typer.Option(help=f"The graph neural network: {', '.join(BACKBONES)}.")
    ] = "sage",
    selection: Annotated[Selection, typer.Option(help="How the epoch is chosen.")] = "reference",
    epochs: Annotated[int, typer.Option(min=1, help="Steps of Adam in each trial.")] = 500,
    repeats: Annotated[int, typer.Option(min=1, help="Collections to average the loss over.")] = 1,
    learning_rates: Annotated[str, _grid()] = "0.0001,0.001,0.01",
    weight_decays: Annotated[str, _grid()] = "0.0001,0.001,0.01",
    dropouts: Annotated[str, _grid()] = "0,0.25,0.5,0.75",
    steps: Annotated[str, _grid(help="Of KProp.")] = "0,2,4,8,16",
    jobs: options.Jobs = options.CORES,
    device: options.Device = "auto",
    root: options.Root = None,
    as_json: options.AsJson = False,
) -> None:
    """Search for hyper-parameters as the LPGNN paper does, by the validation loss on noisy labels alone.

    First Adam's settings at ε = 1 (for every finite budget) and ∞, then KProp's steps for every pair of
    budgets. It is post-processing of the reports and costs no privacy. 'hushgraph reproduce
    --hyperparameters' takes the result.

    Example: hushgraph tune cora --epsilon-x 0.1,1 --epsilon-y 1
    """
    from hushgraph.experiments import tune as tuning
    from hushgraph.experiments.hyperparameters import OPTIMIZER, STEPS

    with console.clear_errors():
        wanted = tuning.Search(
            datasets=tuple(datasets),
            epsilon_x=_numbers(epsilon_x, "--epsilon-x"),
            epsilon_y=_numbers(epsilon_y, "--epsilon-y"),
            features=tuple(options.listed(features)),
            backbone=backbone,
            selection=selection,
            epochs=epochs,
            learning_rates=_numbers(learning_rates, "--learning-rates"),
            weight_decays=_numbers(weight_decays, "--weight-decays"),
            dropouts=_numbers(dropouts, "--dropouts"),
            steps=_numbers(steps, "--steps", int),
            repeats=repeats,
        )
        search = partial(tuning.search, wanted, jobs=jobs, device=device, root=root)
        found = _searched(search, "hushgraph tune", runs, device, output)
    columns = ("graph", "features", "ε_x", "ε_y", "K_x", "K_y", "rate", "decay", "dropout")
    table = Table(*columns, title="Lowest validation loss on noisy labels", title_justify="left")
    for key in sorted(found.steps):
        chosen = found.look_up(*key)
        table.add_row(*_words(key), *(f"{chosen[name]:g}" for name in (*STEPS, *OPTIMIZER)))
    _show(found, table, output, as_json)


def tune_solitude(
    names: Annotated[
        list[str], typer.Argument(help="Experiments with private lists ('solitude/table3') or TOML files.")
    ],
    output: Output = Path("solitude.json"),
    runs: Trials = Path("tuning-solitude"),
    datasets: options.Datasets = None,
    repeats: Annotated[int, typer.Option(min=1, help="Collections to average the accuracy over.")] = 1,
    jobs: options.Jobs = options.CORES,
    device: options.Device = "auto",
    root: options.Root = None,
    as_json: options.AsJson = False,
) -> None:
    """Search hyper-parameters where neighbour lists are private, by accuracy on validation people's labels.

    For every method and budgets that the experiments have, along the grids of the Solitude paper, which tries
    all combinations: here first Adam's settings, then smoothing steps, then Solitude's penalties. It is
    post-processing of the reports and costs no privacy. 'hushgraph reproduce --hyperparameters' takes the
    result.

    Example: hushgraph tune-solitude solitude/table3 --datasets cora
    """
    from hushgraph.experiments import declared, tune_lists
    from hushgraph.experiments.formatting import symbol

    with console.clear_errors():
        wanted = options.listed(datasets) if datasets else None
        experiments = [experiment.only(wanted, None) for experiment in declared.find(names)]
        for experiment in experiments:
            if experiment.study.name != "solitude":
                raise ValueError(f"{experiment.name} has no private lists: see 'hushgraph tune'")
        cells = [cell for experiment in experiments for cell in experiment.cells]
        if not cells:
            raise ValueError("no cell is left: no experiment has these datasets")
        search = partial(tune_lists.search, cells, repeats=repeats, jobs=jobs, device=device, root=root)
        found = _searched(search, "hushgraph tune-solitude", runs, device, output)
    columns = ("graph", "method", "network", "features", "ε_x", "ε_y", "ε_a", "settings")
    table = Table(*columns, title="Most validation labels guessed", title_justify="left")
    for key, chosen in sorted(found.lists.items()):
        table.add_row(*_words(key), ", ".join(f"{symbol(word)} {value:g}" for word, value in chosen.items()))
    _show(found, table, output, as_json)


def _searched(
    search: Callable[..., Hyperparameters], command: str, runs: Path, device: str, output: Path
) -> Hyperparameters:
    """What a search finds, with its trials kept in a folder and its progress shown."""
    from hushgraph.experiments.store import ResultStore
    from hushgraph.sparse.runtime import resolve_device

    resolve_device(device)
    results = ResultStore(runs, {"for": command}, warn=console.warn)
    results.prepare()
    with console.runs_bar("trials") as show:
        found = search(results, on_progress=show, on_failure=console.warn)
    found.write(output)
    return found


def _numbers(text: str, option: str, kind: Callable[[str], Any] = float) -> tuple[Any, ...]:
    try:
        return tuple(kind(word) for word in options.listed(text))
    except ValueError:
        raise ValueError(f"{option} must be numbers with commas between them, got {text!r}") from None


def _words(key: tuple[Any, ...]) -> list[str]:
    from hushgraph.experiments.formatting import name_of

    return [escape(name_of(word)) for word in key]


def _show(found: Hyperparameters, table: Table, output: Path, as_json: bool) -> None:
    if as_json:
        console.print_json(found.document())
        return
    console.output.print(table)
    console.say(f"Written to {output}, for 'hushgraph reproduce --hyperparameters {output}'.")
