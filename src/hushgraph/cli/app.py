"""The commands, gathered."""

from __future__ import annotations

from typing import Annotated

import typer

import hushgraph
from hushgraph.cli import assemble, curate, datasets, demo, predict, reproduce, train, tune, tune_solitude
from hushgraph.cli.report import report

app = typer.Typer(
    name="hushgraph",
    help="Learn graph neural networks from people's data without ever receiving it.",
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
) -> None:
    """Learn graph neural networks from people's data without ever receiving it."""


app.command("train")(train.train)
app.command("curate")(curate.curate)
app.command("predict")(predict.predict)
app.command("assemble")(assemble.assemble)
app.command("datasets")(datasets.datasets)
app.command("reproduce")(reproduce.reproduce)
app.command("report")(report)
app.command("tune")(tune.tune)
app.command("tune-solitude")(tune_solitude.tune_solitude)
app.command("demo")(demo.demo)
