"""The page of attacks on what was trained: every method of the curator's paper, and the talk's."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from docs.pages.kept import tables_or_none
from docs.pages.markdown import counts_table, grid

from hushgraph.attacks import largest_advantage, largest_auc, largest_tpr
from hushgraph.experiments.formatting import ours
from hushgraph.experiments.tables import Row

FOLDER = "attacks"
OTHERS, TALK = "nip-gnn/attacks", "slides/attacks"
MEMBERSHIP = ("confidence", "lira")


def figures() -> dict[str, Any]:
    """What the template asks for."""
    found = tables_or_none(FOLDER, (OTHERS, TALK))
    measured = {name: [row for row in found[name].rows if row.values] for name in found}
    return {
        "all_counts": counts_table(found.values()),
        "others": grid(measured[OTHERS], ("method", "attack"), "dataset", ours),
        "sure": grid(
            [row for row in measured[OTHERS] if row.also.get("auc") and row.cell.attack in MEMBERSHIP],
            ("method", "attack"),
            "dataset",
            how_sure,
        ),
        "most_found": f"{100 * largest_tpr(0.01, 4.0):.0f}",
        "most_area": f"{largest_auc(4.0):.2f}",
        "talk": grid(measured[TALK], ("method", "epsilon", "attack"), "dataset", with_advantage),
        "bound": f"{largest_advantage(1.0):.2f} at ε = 1 and {largest_advantage(4.0):.2f} at ε = 4",
    }


def with_advantage(row: Row) -> str:
    """The advantage where half of the cases are of either kind, and the accuracy behind it."""
    if row.cell.attack.startswith("attribute"):
        return ours(row)
    return f"{2 * ((row.mean or 0.0) / 100 - 0.5):+.2f} ({ours(row)})".replace("-", "−")


def how_sure(row: Row) -> str:
    """The area under the curve, and the share of members found at 1 % of false alarms, in percent."""
    area, found = (fmean(row.also[name]) for name in ("auc", "tpr_at_1_percent"))
    return f"{area / 100:.2f}, {found:.1f}"
