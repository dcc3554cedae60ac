"""The report card as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

import hushgraph
from hushgraph._files import atomic_write
from hushgraph.attacks.decisions import Decisions
from hushgraph.attacks.intervals import Interval
from hushgraph.attacks.suite import Finding
from hushgraph.experiments.attack_chart import draw_card
from hushgraph.experiments.report import pictures
from hushgraph.experiments.report.symbols import STATUSES, subscripts

if TYPE_CHECKING:
    from hushgraph.attacks.card import Attacked


def write_attacks(card: Sequence[Attacked], facts: dict[str, str], path: Path) -> Path:
    """Writes the page, whole or not at all; ``facts`` are what was attacked, in words."""
    with atomic_write(path) as file:
        file.write(render_attacks(card, facts).encode())
    return path


def render_attacks(card: Sequence[Attacked], facts: dict[str, str]) -> str:
    """The page as HTML; the same for the same report card."""
    page = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page.filters["subscripts"] = subscripts
    svg = pictures.inline(draw_card(card), "attacks")
    svg.attrib |= {"role": "img", "aria-label": "The advantage of each attack on each target"}
    return page.from_string(_read("attacks.html.j2")).render(
        css=Markup(_read("report.css")),
        version=hushgraph.__version__,
        facts=facts,
        picture=pictures.markup(svg),
        statuses=STATUSES,
        targets=[
            {
                "title": target.title,
                "guarantee": target.guarantee,
                "rows": [row_of(finding) for finding in target.findings],
                "left_out": target.left_out,
                "untrained": target.untrained,
            }
            for target in card
        ],
    )


def row_of(finding: Finding) -> dict[str, Any]:
    """A finding as a table shows it: shares in percent, areas between 0 and 1."""
    measured, limit = finding.measured, finding.limit
    row = {
        "attack": finding.title,
        "accuracy": percents(measured.accuracy),
        "guessing": percent(finding.by_guessing),
        "advantage": f"{measured.advantage.value:.2f}".replace("-", "−"),
        "auc": "", "tpr": "", "tpr_rare": "", "most_tpr": "", "most_tpr_rare": "", "limit": limit.why,
        "most": percent(limit.accuracy) if limit.accuracy is not None else "",
        "most_auc": f"{limit.auc:.2f}" if limit.auc is not None else "",
        "note": finding.note or "",
    }  # fmt: skip
    if isinstance(measured, Decisions):
        row["auc"] = f"{measured.auc.value:.2f} ({measured.auc.low:.2f} to {measured.auc.high:.2f})"
        for name, fpr in {"tpr": 0.01, "tpr_rare": 0.001}.items():
            most = limit.tpr_at(fpr)
            row[name] = percents(measured.tpr_at(fpr))
            row[f"most_{name}"] = percent(most) if most is not None else ""
    return row


def percents(interval: Interval) -> str:
    """Such as ``"65.2 (61.6 to 68.8)"``."""
    return f"{percent(interval.value)} ({percent(interval.low)} to {percent(interval.high)})"


def percent(share: float) -> str:
    """With one decimal, and never up to 100 what is below it.

    >>> percent(0.98205), percent(0.99999)
    ('98.2', '99.9')
    """
    return f"{100 * share:.1f}" if share == 1 else f"{min(100 * share, 99.9):.1f}"


def _read(name: str) -> str:
    return (resources.files("hushgraph.experiments.report") / name).read_text("utf-8")
