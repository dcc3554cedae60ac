"""Words of the report alone: symbols for verdicts and statuses, subscripts in HTML."""

from __future__ import annotations

from markupsafe import Markup, escape

from hushgraph.experiments.formatting import SUBSCRIPT

# A symbol and words for each verdict, so that nothing depends on colour alone.
VERDICTS = {
    "met": ("✓", "met"),
    "above": ("▲", "above"),
    "below": ("▼", "below"),
    "undecided": ("?", "undecided"),
    "unpublished": ("–", "not published"),
    "missing": ("○", "missing"),
}
STATUSES = {
    "proven": ("✓", "proven"),
    "proven over the reals": ("✓", "proven over the reals"),
    "claimed": ("◐", "only claimed"),
    "refuted": ("✕", "refuted"),
    "none": ("✕", "not protected"),
}


def subscripts(text: str) -> Markup:
    """HTML in which ``ε_x`` has a subscript, and no line breaks before or after an equals sign.

    >>> subscripts("ε_x < 1")
    Markup('ε<sub>x</sub> &lt; 1')
    """
    unbroken = str(escape(text)).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    return Markup(SUBSCRIPT.sub(r"\1<sub>\2</sub>", unbroken))
