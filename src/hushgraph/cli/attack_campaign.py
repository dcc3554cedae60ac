"""What ``hushgraph attack CAMPAIGN`` shows: what one answer gives away, before anybody is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from hushgraph.cli import console, options
from hushgraph.collection import Campaign


def attack_campaign(
    path: Path,
    *,
    label_prior: Sequence[float] | None = None,
    density: float = 0.5,
    answers: int = 10,
    own_mechanisms: Sequence[str] = (),
    as_json: bool = False,
) -> None:
    """Reads a campaign and prints its report card."""
    from hushgraph.attacks.local.campaign_card import report_card

    with console.clear_errors():
        asked = Campaign.load(path, map(options.imported, own_mechanisms))
        card = report_card(asked, label_prior=label_prior, density=density, answers=answers)
    if as_json:
        console.print_json({"campaign": asked.name, **card.to_dict()})
        return
    rows = [
        [
            line.question,
            str(line.level),
            f"{line.epsilon:g}",
            line.about,
            _percent(line.naive),
            _percent(line.success),
            _percent(line.bound),
            _percent(line.success_after),
        ]
        for line in card.lines
    ]
    heads = ["question", "level", "ε", "the best guess at", "without it", "with it", "at most"]
    table = Table(title=f"One answer to {escape(asked.name)}", title_justify="left")
    for head in [*heads, f"with {answers} fresh ones"]:
        table.add_column(head)
    for row in rows:
        table.add_row(*row)
    console.output.print(table)
    for warning in card.warnings:
        console.say(f"· {warning}")


def _percent(value: float | None) -> str:
    return "–" if value is None else console.percent(value)
