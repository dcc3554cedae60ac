"""The commands, gathered."""

from __future__ import annotations

from typing import Annotated

import typer

import hushgraph
from hushgraph import registry
from hushgraph.cli import (
    assemble,
    attack,
    audit,
    collector,
    console,
    curate,
    datasets,
    demo,
    ledger,
    options,
    plan,
    predict,
    report,
    reproduce,
    train,
    tune,
    tune_solitude,
)

app = typer.Typer(
    name="hushgraph",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_show_locals=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hushgraph {hushgraph.__version__}")
        raise typer.Exit


@app.callback()
def hushgraph_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    modules: Annotated[
        list[str] | None,
        typer.Option("--import", help="A module of yours that registers methods, mechanisms or graphs."),
    ] = None,
) -> None:
    """Learn graph neural networks from people's data without ever receiving it."""
    with console.clear_errors(BaseException):
        options.look_here()
        registry.import_modules(modules or ())


for command in (
    plan.plan, train.train, curate.curate, predict.predict, assemble.assemble, attack.attack, audit.audit,
    ledger.ledger, datasets.datasets, reproduce.reproduce, report.report, tune.tune,
    tune_solitude.tune_solitude, demo.demo,
):  # fmt: skip
    app.command()(command)
app.add_typer(collector.app, name="collector")
