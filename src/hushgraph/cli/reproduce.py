"""``hushgraph reproduce``."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as TerminalTable

import hushgraph
from hushgraph import _check
from hushgraph.cli import console
from hushgraph.cli.options import AsJson, listed
from hushgraph.cli.progress import runs_bar
from hushgraph.experiments import declared, runner
from hushgraph.experiments.charts import write_figures
from hushgraph.experiments.declared import Experiment
from hushgraph.experiments.folder import Result, ResultsFolder
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.report import About, write_report
from hushgraph.experiments.tables import Row, Table, name_of, write_csv
from hushgraph.methods import LPGNN

EACH_ITS_OWN = "those that each experiment names"
ELSEWHERE = "it is not in the data folder, and its public origin could not be reached"
COLOURS = {"met": "green", "above": "green", "below": "red"}


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
        typer.Option(help="Only cells with one of these features, networks or losses ('multi_bit,gat')."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes at a time.")] = os.cpu_count() or 1,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    hyperparameters: Annotated[
        Path | None, typer.Option(help="What 'hushgraph tune' found, instead of the published choices.")
    ] = None,
    finished_only: Annotated[
        bool, typer.Option("--finished-only", help="Show what is finished in the folder; run nothing.")
    ] = False,
    root: Annotated[Path | None, typer.Option(help="The data folder.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run the papers' tables and figures, and put ours beside theirs.

    It can be stopped or killed at any time: the same command goes on where it was. More repeats, graphs or
    experiments are added to what is there. Ends with the tables, and a report to open in a browser.

    Example: hushgraph reproduce lpgnn/table2 lpgnn/figure3 --datasets cora --repeats 3
    """
    with console.clear_errors():
        if names == ["list"]:
            _list(as_json)
            return
        LPGNN(device=device).check_params()
        experiments = _chosen(names, datasets, methods)
        found = Hyperparameters.read(hyperparameters) if hyperparameters else None
        settings = {"hyperparameters": f"{found.source} {found.digest}" if found else EACH_ITS_OWN}
        results = ResultsFolder(output, settings, warn=_warn)
        plan = runner.make_plan(experiments, repeats, found, root)
        _say_what_is_planned(plan, results)
        failures: dict[str, str] = {}
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
            failures=sorted(set(failures.values())),
            version=hushgraph.__version__,
        )
        results.prepare()
        report = _write(tables, about, results.folder)
    if as_json:
        console.print_json([_described(table) for table in tables])
    else:
        for table in tables:
            console.output.print(_terminal_table(table), _summary(table), "")
        console.output.print(f"The report: {report}", highlight=False)
    if failures:
        console.messages.print(f"[bold red]{len(failures)} runs failed[/], of the rest nothing is lost:")
        for reason in sorted(set(failures.values())):
            console.messages.print(f"  {escape(reason)}", highlight=False)
        raise typer.Exit(1)


def _perform(
    plan: runner.Plan, results: ResultsFolder, jobs: int, device: str, root: Path | None
) -> tuple[dict[str, Result], dict[str, str]]:
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


def _say_what_is_planned(plan: runner.Plan, results: ResultsFolder) -> None:
    for name, reason in plan.unavailable.items():
        _warn(f"{name_of(name)}: data not available, and its cells say so: {reason}")
    others = results.others(set(plan.distinct))
    if others:
        _warn(f"{results.folder} also holds {others} runs of other cells or versions, which are left alone")


def _warn(message: str) -> None:
    console.messages.print(f"[yellow]note:[/] {escape(message)}", highlight=False)


def _write(tables: Sequence[Table], about: About, folder: Path) -> Path:
    for table in tables:
        write_csv(table, folder / f"{table.experiment.name.replace('/', '-')}.csv")
        write_figures(table, folder)
    return write_report(tables, about, folder)


def _terminal_table(table: Table) -> TerminalTable:
    experiment = table.experiment
    compared = any(row.published for row in table.rows)
    shown = TerminalTable(
        "graph", "cell", title=f"{experiment.name}: {experiment.title}", title_justify="left"
    )
    for name in ("ours", *(["published", "difference", "intervals"] if compared else [])):
        shown.add_column(name, justify="left" if name == "intervals" else "right")
    for dataset in experiment.datasets:
        rows = [row for row in table.rows if row.cell.dataset == dataset]
        shown.add_section()
        if not compared and len({row.trouble for row in rows}) == 1 and not any(row.results for row in rows):
            shown.add_row(name_of(dataset), f"all {len(rows)} cells", rows[0].trouble)
            continue
        for number, row in enumerate(rows):
            figures = (_ours(row), *(_compared(row) if compared else ()))
            shown.add_row("" if number else name_of(dataset), table.label(row), *figures)
    return shown


def _ours(row: Row) -> str:
    if row.mean is None:
        return escape(row.trouble)
    fewer = "" if len(row.results) == row.wanted else f" ({len(row.results)} of {row.wanted} runs)"
    return f"{_number(row, row.mean)} ± {_number(row, row.half_width)}{fewer}"


def _compared(row: Row) -> tuple[str, str, str]:
    if row.published is None:
        return "", "", ""
    published = f"{row.published.mean:g} ± {row.published.half_width:g}"
    if row.difference is None or row.verdict is None:
        return published, "", ""
    sign = "+" if row.difference > 0 else ""
    return published, sign + _number(row, row.difference), f"[{COLOURS[row.verdict]}]{row.verdict}[/]"


def _number(row: Row, value: float | None) -> str:
    """Accuracies with one decimal, errors with three digits."""
    return f"{value:.1f}" if row.scale != 1 else f"{value:.3g}"


def _summary(table: Table) -> str:
    counts = {name: number for name, number in table.counts.items() if number}
    words = {
        "met": "met the published figure",
        "above": "above it",
        "below": "below it",
        "unpublished": "measured without a published figure",
        "missing": "missing",
    }
    return "cells: " + ", ".join(f"{number} {words[name]}" for name, number in counts.items())


def _described(table: Table) -> dict[str, Any]:
    return {
        "name": table.experiment.name,
        "counts": table.counts,
        "rows": [
            {
                "dataset": row.cell.dataset,
                "cell": table.label(row),
                "repeats": len(row.results),
                "mean": row.mean,
                "half_width": row.half_width,
                "published": row.published.mean if row.published else None,
                "published_half_width": row.published.half_width if row.published else None,
                "difference": row.difference,
                "verdict": row.verdict,
                "trouble": row.trouble,
            }
            for row in table.rows
        ],
    }
