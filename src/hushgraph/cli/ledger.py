"""``hushgraph ledger``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from hushgraph.cli import console, options
from hushgraph.privacy import Ledger


def ledger(
    file: Annotated[Path, typer.Argument(help="The ledger.")],
    epsilon: Annotated[
        float | None, typer.Option(help="Make it, with this limit for each person; inf for none.")
    ] = None,
    delta: Annotated[float | None, typer.Option(help="The limit of δ for each person; by default 0.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Make a ledger, or show what was spent.

    A ledger has one limit for each person, whichever campaigns and curators they meet. 'train', 'assemble'
    and 'curate' charge it with --ledger, and refuse what somebody cannot pay for; so do 'tune',
    'tune-solitude' and 'reproduce' on graphs of your own.

    Example: hushgraph ledger people.ledger --epsilon 8 --delta 1e-5
    """
    with console.clear_errors():
        if epsilon is None and delta is not None:
            raise ValueError("--delta is for a new ledger: give --epsilon too")
        if epsilon is None and not file.exists():
            raise FileNotFoundError(f"there is no ledger {file}: give --epsilon to make it")
        books = Ledger.open(file) if epsilon is None else Ledger(epsilon, delta or 0.0, file)
        people, most, entries = books.people, books.most_spent, books.entries
    if as_json:
        console.print_json(
            _limit(books.epsilon, books.delta)
            | {
                "people": people,
                "most_spent": _limit(*most),
                "entries": [
                    {"what": entry.what, **_limit(entry.epsilon, entry.delta), "people": entry.people}
                    for entry in entries
                ],
            }
        )
        return
    facts = {"limit of each person": _words(books.epsilon, books.delta), "people who spent": f"{people:,}"}
    console.print_facts("Ledger", facts | {"spent by one person, at most": _words(*most)})
    if entries:
        table = Table("spent on", title="Entries", title_justify="left")
        for column in ("ε", "δ", "people"):
            table.add_column(column, justify="right")
        for entry in entries:
            table.add_row(escape(entry.what), f"{entry.epsilon:g}", f"{entry.delta:g}", f"{entry.people:,}")
        console.output.print(table)


def _limit(epsilon: float, delta: float) -> dict[str, Any]:
    """For JSON, which has no infinity."""
    return {"epsilon": "inf" if math.isinf(epsilon) else epsilon, "delta": delta}


def _words(epsilon: float, delta: float) -> str:
    return f"ε = {epsilon:g}, δ = {delta:g}"
