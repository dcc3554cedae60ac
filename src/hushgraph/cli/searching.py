"""What the two searches on simulated collections share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from hushgraph.cli import console

if TYPE_CHECKING:
    from hushgraph.experiments.asked import Asked
    from hushgraph.experiments.hyperparameters import Hyperparameters

Output = Annotated[Path, typer.Option(help="Where to write what was found.")]
Trials = Annotated[Path, typer.Option(help="Folder for finished trials; trials in it are not repeated.")]


def searched(
    search: Callable[..., Hyperparameters],
    command: str,
    runs: Path,
    output: Path,
    device: str,
    asked: Sequence[Asked],
    ledger: Path | None,
    root: Path | None,
) -> Hyperparameters:
    """What a search finds, once it has said whom it asks how often and has charged them for it.

    Its trials are kept in a folder, and its progress is shown.
    """
    from hushgraph.experiments.asked import charge, sentences
    from hushgraph.experiments.store import ResultStore
    from hushgraph.sparse.runtime import resolve_device

    resolve_device(device)
    results = ResultStore(runs, {"for": f"hushgraph {command}"}, warn=console.warn)
    results.prepare()
    for sentence in sentences(asked):
        console.warn(sentence)
    if ledger is not None:
        console.warn(charge(ledger, command, asked, results, root))
    with console.runs_bar("trials") as show:
        found = search(results, on_progress=show, on_failure=console.warn)
    found.write(output)
    return found


def words(key: tuple[Any, ...]) -> list[str]:
    """What something was found for, as a row of a table."""
    from hushgraph.experiments.formatting import name_of

    return [escape(name_of(word)) for word in key]


def show(found: Hyperparameters, table: Table, output: Path, asked: Sequence[Asked], as_json: bool) -> None:
    """What was found, and what it took."""
    from hushgraph.experiments.asked import sentences

    said = sentences(asked)
    if as_json:
        console.print_json(found.document() | {"asked": said})
        return
    table.caption, table.caption_justify = escape("\n".join(said)), "left"
    console.output.print(table)
    console.say(f"Written to {output}, for 'hushgraph reproduce --hyperparameters {output}'.")
