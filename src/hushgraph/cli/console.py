"""What the commands share: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from hushgraph.privacy import Guarantee

output = Console()
messages = Console(stderr=True)


@contextmanager
def clear_errors() -> Iterator[None]:
    """Bad input ends with one clear line and exit status 2 instead of a traceback."""
    try:
        yield
    except (ValueError, TypeError, OSError, ImportError, LookupError, ArithmeticError) as error:
        messages.print(f"[bold red]error:[/] {escape(str(error))}", highlight=False)
        raise typer.Exit(2) from error


def warn(message: str) -> None:
    """A line that does not stop anything."""
    messages.print(f"[yellow]note:[/] {escape(message)}", highlight=False)


def progress_bar() -> Progress:
    """A bar with elapsed and remaining time, on standard error."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=messages,
    )


def print_json(values: Any) -> None:
    """One JSON document on standard output."""
    typer.echo(json.dumps(values, indent=2, ensure_ascii=False))


def print_statement(statement: Guarantee | None) -> None:
    """What is promised, as it is: brackets in it are no markup."""
    output.print(str(statement), highlight=False, markup=False)


def percent(mean: float, half_width: float | None = None) -> str:
    """A fraction as a table shows it, such as ``"83.9 ± 0.4 %"``."""
    return f"{100 * mean:.1f} %" if half_width is None else f"{100 * mean:.1f} ± {100 * half_width:.1f} %"
