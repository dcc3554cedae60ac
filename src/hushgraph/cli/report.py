"""``hushgraph report``."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from hushgraph.cli import console, options


def report(
    folder: Annotated[Path, typer.Argument(help="A folder with CSV files of 'hushgraph reproduce'.")],
    experiments: Annotated[
        list[Path] | None, typer.Argument(help="TOML files that declare experiments of your own.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Make pictures and report of a folder again from its CSV files alone, without data and runs.

    The CSV files stay as they are. What they do not tell, the report says.

    Example: hushgraph report docs/results/lpgnn
    """
    from hushgraph.cli.tables import described, summary
    from hushgraph.experiments import declared
    from hushgraph.experiments.charts import write_figures
    from hushgraph.experiments.report import About, write_report
    from hushgraph.experiments.table_files import read_tables

    with console.clear_errors():
        own = declared.find(map(str, experiments)) if experiments else []
        tables = read_tables(folder, [*declared.packaged().values(), *own])
        for table in tables:
            write_figures(table, folder)
        repeats = max(row.wanted for table in tables for row in table.rows)
        path = write_report(tables, About(shlex.join(["hushgraph", *sys.argv[1:]]), repeats), folder)
    if as_json:
        console.print_json([described(table) for table in tables])
        return
    for table in tables:
        console.say(f"{table.experiment.name}: {summary(table)}")
    console.say(f"The report: {path}")
