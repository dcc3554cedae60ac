"""What the commands share: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer
from rich import progress
from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from hushgraph.experiments.runner import Advance

LINE_EVERY = 60.0

output = Console()
messages = Console(stderr=True)


@contextmanager
def clear_errors(*others: type[BaseException]) -> Iterator[None]:
    """Bad input ends with one clear line and exit status 2 instead of a traceback.

    Whoever runs code of the user's own names ``others``, such as ``BaseException``: then code that ends
    the process does not choose the status, which would say something else.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except (ValueError, TypeError, OSError, ImportError, LookupError, ArithmeticError) as error:
        messages.print(f"[bold red]error:[/] {escape(str(error))}", highlight=False)
        raise typer.Exit(2) from error
    except others as error:
        messages.print(
            f"[bold red]error:[/] the code that was run failed: {escape(repr(error))}", highlight=False
        )
        raise typer.Exit(2) from error


def warn(message: str) -> None:
    """A line that does not stop anything."""
    messages.print(f"[yellow]note:[/] {escape(message)}", highlight=False)


def say(text: object) -> None:
    """A result as it is: brackets in it are no markup."""
    output.print(str(text), highlight=False, markup=False)


def print_json(values: Any) -> None:
    """One JSON document on standard output."""
    typer.echo(json.dumps(values, indent=2, ensure_ascii=not output.encoding.startswith("utf")))


def print_facts(title: str, facts: Mapping[str, str]) -> None:
    """A table of names and values."""
    table = Table(title=title, title_justify="left", show_header=False)
    for name, value in facts.items():
        table.add_row(name, escape(value))
    output.print(table)


def percent(mean: float, half_width: float | None = None) -> str:
    """A fraction as a table shows it, such as ``"83.9 ± 0.4 %"``."""
    return f"{100 * mean:.1f} %" if half_width is None else f"{100 * mean:.1f} ± {100 * half_width:.1f} %"


def progress_bar(count: progress.ProgressColumn | None = None, **how: Any) -> progress.Progress:
    """A bar with elapsed and remaining time, on standard error."""
    what = (progress.TextColumn("{task.description}"), progress.BarColumn())
    times = (progress.TimeElapsedColumn(), progress.TextColumn("left"), progress.TimeRemainingColumn())
    return progress.Progress(*what, count or progress.MofNCompleteColumn(), *times, console=messages, **how)


@contextmanager
def runs_bar(kept: str) -> Iterator[Callable[[str, Advance], None]]:
    """One bar for many runs, or a line a minute where nobody watches; Ctrl-C says what is kept.

    Gives a function that takes what is being done and how far it is; time left is by the cost of runs.
    """
    count = progress.TextColumn("{task.fields[counted]}")
    bar = progress_bar(count, speed_estimate_period=900, transient=True, refresh_per_second=2)
    task = bar.add_task("", total=1.0, counted="", visible=False)
    shown, last_line = "", time.monotonic()

    def show(what: str, advance: Advance) -> None:
        nonlocal shown, last_line
        failed = f", {advance.failed} failed" if advance.failed else ""
        counted = f"{advance.done}/{advance.runs} runs{failed}"
        if what != shown:
            bar.reset(task, description=what, visible=True)
            shown = what
        bar.update(task, completed=advance.share, counted=counted)
        if not messages.is_terminal and time.monotonic() - last_line > LINE_EVERY:
            last_line = time.monotonic()
            messages.print(f"{what}: {counted}, {100 * advance.share:.0f} %", highlight=False)

    try:
        with bar:
            yield show
    except KeyboardInterrupt:
        messages.print(f"stopped; finished {kept} are kept, and the same command goes on")
        raise typer.Exit(130) from None
