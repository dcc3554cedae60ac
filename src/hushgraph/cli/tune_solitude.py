"""``hushgraph tune-solitude``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as TerminalTable

from hushgraph.cli import console
from hushgraph.cli.options import CORES, AsJson, Device, Jobs, Root, listed
from hushgraph.cli.tune import searched

if TYPE_CHECKING:
    from hushgraph.experiments.hyperparameters import Hyperparameters


def tune_solitude(
    names: Annotated[
        list[str], typer.Argument(help="Experiments with private lists ('solitude/table3') or TOML files.")
    ],
    output: Annotated[Path, typer.Option(help="Where to write what was found.")] = Path("solitude.json"),
    runs: Annotated[
        Path, typer.Option(help="Folder for finished trials; trials in it are not repeated.")
    ] = Path("tuning-solitude"),
    datasets: Annotated[str | None, typer.Option(help="Only these graphs, with commas between them.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Collections to average the accuracy over.")] = 1,
    jobs: Jobs = CORES,
    device: Device = "auto",
    root: Root = None,
    as_json: AsJson = False,
) -> None:
    """Search hyper-parameters where neighbour lists are private, by accuracy on validation people's labels.

    For every method and budgets that the experiments have, along the grids of the Solitude paper, which tries
    all combinations: here first Adam's settings, then smoothing steps, then Solitude's penalties. It is
    post-processing of the reports and costs no privacy. 'hushgraph reproduce --hyperparameters' takes the
    result.

    Example: hushgraph tune-solitude solitude/table3 --datasets cora
    """
    from hushgraph.experiments import declared, tune_lists

    with console.clear_errors():
        wanted = listed(datasets) if datasets else None
        experiments = [experiment.only(wanted, None) for experiment in declared.find(names)]
        for experiment in experiments:
            if experiment.study.name != "solitude":
                raise ValueError(f"{experiment.name} has no private lists: see 'hushgraph tune'")
        cells = [cell for experiment in experiments for cell in experiment.cells]
        if not cells:
            raise ValueError("no cell is left: no experiment has these datasets")
        found = searched(
            lambda results, how: tune_lists.search(cells, results, repeats=repeats, **how),
            runs,
            "hushgraph tune-solitude",
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


def _table(found: Hyperparameters) -> TerminalTable:
    from hushgraph.experiments.formatting import name_of, symbol

    names = ("graph", "method", "network", "ε_x", "ε_a", "settings")
    table = TerminalTable(*names, title="Most validation labels guessed", title_justify="left")
    for key, chosen in sorted(found.lists.items()):
        settings = ", ".join(f"{symbol(word)} {value:g}" for word, value in chosen.items())
        table.add_row(*(escape(name_of(word)) for word in key), settings)
    return table
