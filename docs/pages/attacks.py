"""The page of attacks on what was trained: every method of the curator's paper, and the talk's."""

from __future__ import annotations

from typing import Any

from docs.pages.kept import tables_or_none
from docs.pages.markdown import counts_table, grid

from hushgraph.attacks import largest_advantage
from hushgraph.experiments.formatting import ours
from hushgraph.experiments.tables import Row

FOLDER = "attacks"
OTHERS, TALK = "nip-gnn/attacks", "slides/attacks"


def figures() -> dict[str, Any]:
    """What the template asks for."""
    found = tables_or_none(FOLDER, (OTHERS, TALK))
    measured = {name: [row for row in found[name].rows if row.values] for name in found}
    return {
        "all_counts": counts_table(found.values()),
        "others": grid(measured[OTHERS], ("method", "attack"), "dataset", ours),
        "talk": grid(measured[TALK], ("method", "epsilon", "attack"), "dataset", with_advantage),
        "bound": f"{largest_advantage(1.0):.2f} at ε = 1 and {largest_advantage(4.0):.2f} at ε = 4",
    }


def with_advantage(row: Row) -> str:
    """The advantage where half of the cases are of either kind, and the accuracy behind it."""
    if row.cell.attack == "attribute":
        return ours(row)
    return f"{2 * ((row.mean or 0.0) / 100 - 0.5):+.2f} ({ours(row)})".replace("-", "−")
