"""``hushgraph tune-solitude``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from hushgraph.cli import console, options, searching


def tune_solitude(
    names: Annotated[
        list[str], typer.Argument(help="Experiments with private lists ('solitude/table3') or TOML files.")
    ],
    output: searching.Output = Path("solitude.json"),
    runs: searching.Trials = Path("tuning-solitude"),
    datasets: options.Datasets = None,
    repeats: Annotated[
        int,
        typer.Option(
            min=1,
            help="Collections of the same budgets to average the accuracy over; the same people answer each,"
            " and ε adds up.",
        ),
    ] = 1,
    ledger: options.LedgerPath = None,
    jobs: options.Jobs = options.CORES,
    device: options.Device = "auto",
    root: options.Root = None,
    as_json: options.AsJson = False,
) -> None:
    """Search hyper-parameters where neighbour lists are private, by accuracy on validation people's labels.

    For every method and budgets that the experiments have, along the grids of the Solitude paper, which tries
    all combinations: here first Adam's settings, then smoothing steps, then Solitude's penalties. Whatever is
    tried at the same budgets is tried on one collection: post-processing of its reports. Other budgets are
    other collections, and on a graph of your own the command says what these add up to. 'hushgraph reproduce
    --hyperparameters' takes the result.

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
        asked = tune_lists.asked(cells, repeats, root)
        search = partial(tune_lists.search, cells, repeats=repeats, jobs=jobs, device=device, root=root)
        found = searching.searched(search, "tune-solitude", runs, output, device, asked, ledger, root)
    columns = ("graph", "method", "network", "features", "ε_x", "ε_y", "ε_a", "settings")
    table = Table(*columns, title="Most validation labels guessed", title_justify="left")
    for key, chosen in sorted(found.lists.items()):
        settings = ", ".join(f"{symbol(word)} {value:g}" for word, value in chosen.items())
        table.add_row(*searching.words(key), settings)
    searching.show(found, table, output, asked, as_json)
