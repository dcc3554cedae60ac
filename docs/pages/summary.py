"""The first page: what holds and what misses."""

from __future__ import annotations

from typing import Any

from docs.pages import audits, lpgnn, nip_gnn, slides, solitude, speed


def figures() -> dict[str, Any]:
    """The figures of every page, by page."""
    pages = (lpgnn, slides, solitude, nip_gnn, audits, speed)
    return {page.__name__.rpartition(".")[2]: page.figures() for page in pages}
