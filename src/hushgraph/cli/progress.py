"""One bar for many runs, or a line a minute where nobody watches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from hushgraph.cli import console
from hushgraph.experiments import runner

LINE_EVERY = 60.0


@contextmanager
def runs_bar() -> Iterator[Callable[[str, runner.Advance], None]]:
    """Gives a function that takes what is being done and how far it is; time left is by the cost of runs."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[counted]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console.messages,
        speed_estimate_period=900,
        transient=True,
        refresh_per_second=2,
    )
    task = bar.add_task("", total=1.0, counted="", visible=False)
    shown, last_line = "", time.monotonic()

    def show(what: str, progress: runner.Advance) -> None:
        nonlocal shown, last_line
        failed = f", {progress.failed} failed" if progress.failed else ""
        counted = f"{progress.done}/{progress.runs} runs{failed}"
        if what != shown:
            bar.reset(task, description=what, visible=True)
            shown = what
        bar.update(task, completed=progress.share, counted=counted)
        if not console.messages.is_terminal and time.monotonic() - last_line > LINE_EVERY:
            last_line = time.monotonic()
            console.messages.print(f"{what}: {counted}, {100 * progress.share:.0f} %", highlight=False)

    with bar:
        yield show
