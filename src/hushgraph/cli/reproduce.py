"""``hushgraph reproduce``."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from hushgraph import _check
from hushgraph.cli import console, options

if TYPE_CHECKING:
    from hushgraph.experiments.declared import Experiment
    from hushgraph.experiments.runner import Controls, Plan
    from hushgraph.experiments.store import ResultStore

EACH_ITS_OWN = "those that each experiment names"
CONTROLS: dict[bool | None, Controls] = {None: "public", True: "all", False: "none"}
ELSEWHERE = "it is not in the data folder and could not be fetched"


def reproduce(
    names: Annotated[
        list[str],
        typer.Argument(
            help="Experiments ('lpgnn/table2'), groups of them ('lpgnn'), TOML files of your own; or 'list'."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(help="Folder for runs, tables, figures and the report; runs in it are not repeated."),
    ] = Path("results"),
    repeats: Annotated[
        int,
        typer.Option(
            min=1,
            help="Seeds of each cell; each redraws everything and asks the people of your own graphs again.",
        ),
    ] = 10,
    datasets: options.Datasets = None,
    methods: Annotated[
        str | None,
        typer.Option(help="Only cells with one of these features, networks or losses ('multi-bit,gat')."),
    ] = None,
    jobs: options.Jobs = options.CORES,
    device: options.Device = "auto",
    hyperparameters: Annotated[
        Path | None, typer.Option(help="What 'hushgraph tune' found, instead of the published choices.")
    ] = None,
    finished_only: Annotated[
        bool, typer.Option("--finished-only", help="Show what is finished in the folder; run nothing.")
    ] = False,
    controls: Annotated[
        bool | None,
        typer.Option(
            "--controls/--no-controls",
            help="Beside each private cell the same where features tell nothing; by default on public graphs,"
            " for people of your own are asked once more for it.",
        ),
    ] = None,
    controls_only: Annotated[
        bool, typer.Option("--controls-only", help="The controls on public graphs, and no cell.")
    ] = False,
    ledger: options.LedgerPath = None,
    root: options.Root = None,
    as_json: options.AsJson = False,
) -> None:
    """Run the papers' tables and figures, and put ours beside theirs.

    It can be stopped or killed at any time: the same command goes on where it was, and another one adds its
    runs to those in the folder. Ends with the tables, pictures and a report of what this command names.

    On a graph of your own each budget and each repeat is another collection of the same people: the command
    says what these add up to, and --ledger charges it.

    Example: hushgraph reproduce lpgnn/table2 lpgnn/figure3 --datasets cora --repeats 3
    """
    from hushgraph.cli.tables import described, summary, terminal_table
    from hushgraph.experiments import charts, runner, table_files
    from hushgraph.experiments.formatting import counted
    from hushgraph.experiments.hyperparameters import Hyperparameters
    from hushgraph.experiments.report import About, write_report
    from hushgraph.experiments.store import ResultStore
    from hushgraph.sparse.runtime import resolve_device

    with console.clear_errors():
        if names == ["list"]:
            _list(as_json)
            return
        resolve_device(device)
        experiments = _chosen(names, datasets, methods)
        found = Hyperparameters.read(hyperparameters) if hyperparameters else None
        settings = {"hyperparameters": f"{found.source} {found.digest}" if found else EACH_ITS_OWN}
        results = ResultStore(output, settings, warn=console.warn)
        if controls_only and controls is not None:
            raise ValueError("--controls-only leaves nothing to say by --controls or --no-controls")
        beside: runner.Controls = "only" if controls_only else CONTROLS[controls]
        plan = runner.make_plan(experiments, repeats, found, root, beside)
        _say_what_is_planned(plan, results)
        if finished_only and ledger is not None:
            raise ValueError("--ledger is for what is run, and --finished-only runs nothing")
        results.prepare()
        said = _say_what_is_asked(plan, results, ledger, finished_only, root)
        failures: dict[str, str] = {}
        if finished_only:
            outcomes = runner.finished(plan, results)
        else:
            with console.runs_bar("runs") as show:
                on_progress = partial(show, "running")
                outcomes, failures = runner.perform(
                    plan, results, jobs=jobs, device=device, root=root, on_progress=on_progress
                )
        tables = runner.tables(plan, outcomes, failures)
        about = About(
            command=shlex.join(["hushgraph", *sys.argv[1:]]),
            repeats=repeats,
            hyperparameters=settings["hyperparameters"],
            graphs=plan.graphs,
            asked=said,
            unavailable=dict.fromkeys(plan.unavailable, ELSEWHERE),
            failures=sorted({*failures.values(), *plan.refused.values()}),
        )
        for table in tables:
            table_files.write_csv(table, output / f"{table.experiment.file_name}.csv")
            charts.write_figures(table, output)
        report = write_report(tables, about, output)
    if as_json:
        console.print_json([described(table) | ({"asked": said} if said else {}) for table in tables])
    else:
        for table in tables:
            console.output.print(terminal_table(table), summary(table), "")
        console.say("\n".join([*said, f"The report: {report}"]))
    if about.failures:
        failed = counted(len(failures), "run") if failures else counted(len(plan.refused), "cell")
        console.messages.print(f"[bold red]{failed} failed[/], of the rest nothing is lost:")
        for reason in about.failures:
            console.messages.print(f"  {escape(reason)}", highlight=False)
        raise typer.Exit(1)


def _chosen(names: Sequence[str], datasets: str | None, methods: str | None) -> list[Experiment]:
    from hushgraph.experiments import declared

    experiments = declared.find(names)
    cells = [cell for experiment in experiments for cell in experiment.cells]
    known_methods = {word for cell in cells for word in declared.methods_of(cell)}
    wanted = [
        None if chosen is None else [_check.choice(name, option, known) for name in options.listed(chosen)]
        for chosen, option, known in (
            (datasets, "--datasets", sorted({cell.dataset for cell in cells})),
            (methods, "--methods", sorted(known_methods)),
        )
    ]
    kept = [experiment.only(*wanted) for experiment in experiments]
    if not any(experiment.cells for experiment in kept):
        raise ValueError("no cell is left: no experiment has these datasets with these methods")
    return [experiment for experiment in kept if experiment.cells]


def _list(as_json: bool) -> None:
    from hushgraph.experiments import declared

    experiments = declared.packaged().values()
    if as_json:
        console.print_json([
            {
                "name": experiment.name,
                "cells": len(experiment.cells),
                "datasets": list(experiment.datasets),
                "source": experiment.source,
                "title": experiment.title,
            }
            for experiment in experiments
        ])  # fmt: skip
        return
    table = Table("name", "cells", "what", title="Experiments", title_justify="left")
    for experiment in experiments:
        what = f"{experiment.title} ({experiment.source})"
        table.add_row(experiment.name, str(len(experiment.cells)), what)
    console.output.print(table)


def _say_what_is_planned(plan: Plan, results: ResultStore) -> None:
    from hushgraph.experiments.formatting import counted, name_of

    for name, reason in plan.unavailable.items():
        console.warn(f"{name_of(name)}: data not available, and its cells say so: {reason}")
    if others := results.others(set(plan.distinct)):
        console.warn(f"{results.folder} also holds {counted(others, 'run')} of other cells or versions")


def _say_what_is_asked(
    plan: Plan, results: ResultStore, ledger: Path | None, finished_only: bool, root: Path | None
) -> list[str]:
    """How often the user's own people answer, said and charged before anything is run."""
    from hushgraph.experiments.asked import asked_by, charge, sentences

    asked = asked_by(plan, root, own_people=True)
    if finished_only:
        drawn = results.collections()
        asked = [one for one in asked if one.key in drawn]
    said = sentences(asked)
    for sentence in said:
        console.warn(sentence)
    if ledger is not None:
        console.warn(charge(ledger, "reproduce", asked, results, root))
    return said
