"""``hushgraph reproduce``."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as TerminalTable

import hushgraph
from hushgraph import _check
from hushgraph.cli import console
from hushgraph.cli.options import CORES, AsJson, Device, Jobs, Root, listed

if TYPE_CHECKING:
    from hushgraph.experiments.declared import Experiment
    from hushgraph.experiments.report import About
    from hushgraph.experiments.runner import Plan
    from hushgraph.experiments.store import Result, ResultStore
    from hushgraph.experiments.tables import Table

EACH_ITS_OWN = "those that each experiment names"
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
    repeats: Annotated[int, typer.Option(min=1, help="Seeds of each cell; each redraws everything.")] = 10,
    datasets: Annotated[str | None, typer.Option(help="Only these graphs, with commas between them.")] = None,
    methods: Annotated[
        str | None,
        typer.Option(help="Only cells with one of these features, networks or losses ('multi-bit,gat')."),
    ] = None,
    jobs: Jobs = CORES,
    device: Device = "auto",
    hyperparameters: Annotated[
        Path | None, typer.Option(help="What 'hushgraph tune' found, instead of the published choices.")
    ] = None,
    finished_only: Annotated[
        bool, typer.Option("--finished-only", help="Show what is finished in the folder; run nothing.")
    ] = False,
    root: Root = None,
    as_json: AsJson = False,
) -> None:
    """Run the papers' tables and figures, and put ours beside theirs.

    It can be stopped or killed at any time: the same command goes on where it was, and another one adds its
    runs to those in the folder. Ends with the tables, pictures and a report of what this command names.

    Example: hushgraph reproduce lpgnn/table2 lpgnn/figure3 --datasets cora --repeats 3
    """
    from hushgraph.cli.tables import described, summary, terminal_table
    from hushgraph.experiments import runner
    from hushgraph.experiments.formatting import counted
    from hushgraph.experiments.hyperparameters import Hyperparameters
    from hushgraph.experiments.report import About
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
        plan = runner.make_plan(experiments, repeats, found, root)
        _say_what_is_planned(plan, results)
        failures: dict[str, str] = {}
        results.prepare()
        if finished_only:
            outcomes = runner.finished(plan, results)
        else:
            outcomes, failures = _perform(plan, results, jobs, device, root)
        tables = runner.tables(plan, outcomes, failures)
        about = About(
            command=shlex.join(["hushgraph", *sys.argv[1:]]),
            repeats=repeats,
            hyperparameters=settings["hyperparameters"],
            graphs=plan.graphs,
            unavailable=dict.fromkeys(plan.unavailable, ELSEWHERE),
            failures=sorted({*failures.values(), *plan.refused.values()}),
            version=hushgraph.__version__,
        )
        report = _write(tables, about, results.folder)
    if as_json:
        console.print_json([described(table) for table in tables])
    else:
        for table in tables:
            console.output.print(terminal_table(table), summary(table), "")
        console.output.print(f"The report: {report}", highlight=False, markup=False)
    if failures or plan.refused:
        failed = counted(len(failures), "run") if failures else counted(len(plan.refused), "cell")
        console.messages.print(f"[bold red]{failed} failed[/], of the rest nothing is lost:")
        for reason in about.failures:
            console.messages.print(f"  {escape(reason)}", highlight=False)
        raise typer.Exit(1)


def _perform(
    plan: Plan, results: ResultStore, jobs: int, device: str, root: Path | None
) -> tuple[dict[str, Result], dict[str, str]]:
    from hushgraph.cli.progress import runs_bar
    from hushgraph.experiments import runner

    try:
        with runs_bar() as show:
            return runner.perform(
                plan,
                results,
                jobs=jobs,
                device=device,
                root=root,
                on_progress=lambda progress: show("running", progress),
            )
    except KeyboardInterrupt:
        console.messages.print("stopped; finished runs are kept, and the same command goes on")
        raise typer.Exit(130) from None


def _chosen(names: Sequence[str], datasets: str | None, methods: str | None) -> list[Experiment]:
    from hushgraph.experiments import declared

    experiments = declared.find(names)
    known_datasets = {name for experiment in experiments for name in experiment.datasets}
    known_methods = {
        word for experiment in experiments for cell in experiment.cells for word in declared.methods_of(cell)
    }
    wanted = [
        None if chosen is None else [_check.choice(name, option, sorted(known)) for name in listed(chosen)]
        for chosen, option, known in (
            (datasets, "--datasets", known_datasets),
            (methods, "--methods", known_methods),
        )
    ]
    kept = [experiment.only(*wanted) for experiment in experiments]
    if not any(experiment.cells for experiment in kept):
        raise ValueError("no cell is left: no experiment has these datasets with these methods")
    return [experiment for experiment in kept if experiment.cells]


def _list(as_json: bool) -> None:
    from hushgraph.experiments import declared

    experiments = declared.packaged().values()
    rows: list[dict[str, Any]] = [
        {
            "name": experiment.name,
            "cells": len(experiment.cells),
            "datasets": list(experiment.datasets),
            "source": experiment.source,
            "title": experiment.title,
        }
        for experiment in experiments
    ]
    if as_json:
        console.print_json(rows)
        return
    table = TerminalTable("name", "cells", "what", title="Experiments", title_justify="left")
    for row in rows:
        table.add_row(row["name"], str(row["cells"]), f"{row['title']} ({row['source']})")
    console.output.print(table)


def _say_what_is_planned(plan: Plan, results: ResultStore) -> None:
    from hushgraph.experiments.formatting import counted, name_of

    for name, reason in plan.unavailable.items():
        console.warn(f"{name_of(name)}: data not available, and its cells say so: {reason}")
    others = results.others(set(plan.distinct))
    if others:
        console.warn(f"{results.folder} also holds {counted(others, 'run')} of other cells or versions")


def _write(tables: Sequence[Table], about: About, folder: Path) -> Path:
    from hushgraph.experiments.charts import write_figures
    from hushgraph.experiments.report import write_report
    from hushgraph.experiments.table_files import write_csv

    for table in tables:
        write_csv(table, folder / f"{table.experiment.file_name}.csv")
        write_figures(table, folder)
    return write_report(tables, about, folder)
