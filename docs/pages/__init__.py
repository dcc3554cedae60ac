"""The pages of docs/results: templates filled with the figures that stand beside them."""

from __future__ import annotations

from pathlib import Path

from docs.pages import (
    attacks,
    audits,
    cascade,
    local_attacks,
    lpgnn,
    nip_gnn,
    slides,
    solitude,
    speed,
    summary,
)

TEMPLATES = Path(__file__).parent / "templates"
PAGES = {
    "README": summary.figures,
    "lpgnn": lpgnn.figures,
    "slides": slides.figures,
    "solitude": solitude.figures,
    "nip-gnn": nip_gnn.figures,
    "cascade": cascade.figures,
    "attacks": attacks.figures,
    "audits": audits.figures,
    "speed": speed.figures,
    "local-attacks": local_attacks.figures,
}


def render(name: str) -> str:
    """A page as Markdown."""
    return (TEMPLATES / f"{name}.md").read_text(encoding="utf-8").format(**PAGES[name]())
