"""What ``hushgraph attack`` shows: tables in the terminal, and files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from hushgraph._files import atomic_write
from hushgraph.cli import console

if TYPE_CHECKING:
    from hushgraph.attacks.card import Attacked


def print_card(card: Sequence[Attacked], members: str) -> None:
    """Who the members are, and a table for each target; under it what bounds what, and what is left out."""
    from hushgraph.experiments.report.attacks import percent, row_of

    console.say("Private: what is measured is computed from people's data, and for whoever holds them.")
    console.say(f"Members: {members}\n")
    for target in card:
        if target.untrained is not None:
            console.say(f"{target.title} is left out: {target.untrained}\n")
            continue
        title = f"{escape(target.title)}: {target.guarantee.strength}"
        table = Table("attack", title=title, title_justify="left")
        for name in ("right %", "guessing", "right at most", "AUC", "found at 1 %"):
            table.add_column(name, justify="right")
        reasons: dict[str, list[str]] = {}
        notes: dict[str, list[str]] = {}
        for finding in target.findings:
            row, right = row_of(finding), finding.measured.accuracy
            reasons.setdefault(finding.limit.why, []).append(finding.family)
            if finding.note is not None:
                notes.setdefault(finding.note, []).append(finding.title)
            table.add_row(
                escape(finding.title),
                f"{percent(right.value)} ± {50 * (right.high - right.low):.1f}",
                row["guessing"],
                row["most"] or "–",
                row["auc"].partition(" ")[0] or "–",
                row["tpr"].partition(" ")[0] or "–",
            )
        console.output.print(table)
        for why, families in reasons.items():
            console.say(f"  {', '.join(dict.fromkeys(families))}: {why}")
        for note, titles in notes.items():
            console.say(f"  {'; '.join(titles)}: {note}")
        for name, why in target.left_out.items():
            console.say(f"  left out: {name}: {why}")
        console.say("")


def write(card: Sequence[Attacked], facts: dict[str, str], document: dict[str, Any], folder: Path) -> None:
    """The document, the picture and the page."""
    from hushgraph.experiments.attack_chart import draw_card
    from hushgraph.experiments.charts import save
    from hushgraph.experiments.report.attacks import write_attacks

    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / "attacks.json") as file:
        file.write((json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode())
    save(draw_card(card), folder / "attacks.png")
    write_attacks(card, facts, folder / "attacks.html")
