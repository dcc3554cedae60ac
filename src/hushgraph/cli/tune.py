"""``hushgraph tune``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from hushgraph.choices import Selection
from hushgraph.cli import console, options, searching, tune_collected
from hushgraph.registry import BACKBONES

_grid = partial(typer.Option, rich_help_panel="What is tried")
# Options that only a simulation uses.
SIMULATION = (
    "epsilon_x", "epsilon_y", "output", "runs", "repeats", "as_published", "ledger", "jobs", "root",
)  # fmt: skip


def tune(
    context: typer.Context,
    graphs: Annotated[list[str] | None, typer.Argument(help="Graphs, each searched for itself.")] = None,
    epsilon_x: Annotated[
        str | None, typer.Option(help="Budgets of features, with commas; inf for none.")
    ] = None,
    epsilon_y: Annotated[
        str | None, typer.Option(help="Budgets of labels, with commas; inf for none.")
    ] = None,
    collected: Annotated[
        Path | None, options.data_option(help="Search on this collection instead of simulated ones.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="With --collected: write the best model here, for 'predict'."),
    ] = None,
    output: searching.Output = Path("tuned.json"),
    runs: searching.Trials = Path("tuning"),
    features: Annotated[str, typer.Option(help="'private' and stand-ins: ones, degree, random.")] = "private",
    backbone: Annotated[
        str, typer.Option(help=f"The graph neural network: {', '.join(BACKBONES)}.")
    ] = "sage",
    selection: Annotated[Selection, typer.Option(help="How the epoch is chosen.")] = "reference",
    epochs: Annotated[int, typer.Option(min=1, help="Steps of Adam in each trial.")] = 500,
    repeats: Annotated[
        int,
        typer.Option(
            min=1,
            help="Collections of each pair of budgets to average the loss over; the same people answer each,"
            " and ε adds up.",
        ),
    ] = 1,
    as_published: Annotated[
        bool,
        typer.Option(
            "--as-published",
            help="Search Adam's settings at ε = 1 in place of every finite budget, as the paper does; that is"
            " another collection of the same people, and ε adds up.",
        ),
    ] = False,
    learning_rates: Annotated[str, _grid()] = "0.0001,0.001,0.01",
    weight_decays: Annotated[str, _grid()] = "0.0001,0.001,0.01",
    dropouts: Annotated[str, _grid()] = "0,0.25,0.5,0.75",
    steps: Annotated[str, _grid(help="Of KProp.")] = "0,2,4,8,16",
    ledger: options.LedgerPath = None,
    jobs: options.Jobs = options.CORES,
    device: options.Device = "auto",
    root: options.Root = None,
    own_mechanism: options.OwnMechanisms = None,
    as_json: options.AsJson = False,
) -> None:
    """Search for hyper-parameters along the LPGNN paper's grids, by validation loss on noisy labels alone.

    Each pair of budgets is one collection of a graph's people. First Adam's settings and then KProp's steps
    are searched on it: post-processing of its reports. Several pairs are several collections of the same
    people, and what these spend adds up: the command says to how much. 'hushgraph reproduce
    --hyperparameters' takes the result.

    With --collected the search is on reports that are there, and nobody is asked again.

    Example: hushgraph tune cora --epsilon-x 1 --epsilon-y 1
    """
    from hushgraph.experiments import tune as tuning
    from hushgraph.experiments.hyperparameters import OPTIMIZER, STEPS

    with console.clear_errors():
        grid: dict[str, Any] = {
            "features": tuple(options.listed(features)), "backbone": backbone, "selection": selection,
            "epochs": epochs,
            "learning_rates": _numbers(learning_rates, "--learning-rates"),
            "weight_decays": _numbers(weight_decays, "--weight-decays"),
            "dropouts": _numbers(dropouts, "--dropouts"),
            "steps": _numbers(steps, "--steps", int),
        }  # fmt: skip
        if collected is not None:
            if graphs:
                raise ValueError("name graphs or give --collected, not both")
            options.refuse(context, SIMULATION, "is for simulations, and --collected has its reports")
            tune_collected.tune_collected(
                tuning.Grid(**grid), collected, own_mechanism or [], save, device, as_json
            )
            return
        options.refuse(context, ["save", "own_mechanism"], "is for --collected")
        if not graphs:
            raise ValueError("name a graph (see 'hushgraph datasets'), or give --collected")
        wanted = tuning.Search(
            datasets=tuple(graphs),
            epsilon_x=_numbers(options.required(epsilon_x, "--epsilon-x"), "--epsilon-x"),
            epsilon_y=_numbers(options.required(epsilon_y, "--epsilon-y"), "--epsilon-y"),
            repeats=repeats,
            as_published=as_published,
            **grid,
        )
        asked = tuning.asked(wanted, root)
        search = partial(tuning.search, wanted, jobs=jobs, device=device, root=root)
        found = searching.searched(search, "tune", runs, output, device, asked, ledger, root)
    columns = ("graph", "features", "ε_x", "ε_y", "K_x", "K_y", "rate", "decay", "dropout")
    table = Table(*columns, title="Lowest validation loss on noisy labels", title_justify="left")
    for key in sorted(found.steps):
        chosen = found.look_up(*key)
        table.add_row(*searching.words(key), *(f"{chosen[name]:g}" for name in (*STEPS, *OPTIMIZER)))
    searching.show(found, table, output, asked, as_json)


def _numbers(text: str, option: str, kind: Callable[[str], Any] = float) -> tuple[Any, ...]:
    try:
        return tuple(kind(word) for word in options.listed(text))
    except ValueError:
        raise ValueError(f"{option} must be numbers with commas between them, got {text!r}") from None
