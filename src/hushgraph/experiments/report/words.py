"""Numbers and names as the report writes them."""

from __future__ import annotations

import math
import re

from markupsafe import Markup, escape

from hushgraph.experiments.studies.study import Study
from hushgraph.experiments.tables import Row

# A symbol and words for each verdict, so that nothing depends on colour alone.
VERDICTS = {
    "met": ("✓", "met"),
    "above": ("▲", "above"),
    "below": ("▼", "below"),
    "unpublished": ("–", "not published"),
    "missing": ("○", "missing"),
}
STATUSES = {"proven": ("✓", "proven"), "claimed": ("◐", "only claimed"), "none": ("✕", "not protected")}


def number(value: float, study: Study) -> str:
    """Percentages with one decimal, other quantities with three significant digits.

    >>> from hushgraph.experiments.studies import STUDIES
    >>> number(83.94, STUDIES["lpgnn"]), number(0.012345, STUDIES["aggregation_error"])
    ('83.9', '0.0123')
    """
    decimals = 1
    if study.scale == 1:
        decimals = 0 if value == 0 else max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", "−")


def with_interval(mean: float, half_width: float, study: Study) -> str:
    """Such as ``"83.9 ± 0.4"``; without an interval, the mean alone."""
    return number(mean, study) + (f" ± {number(half_width, study)}" if half_width > 0 else "")


def ours(row: Row, study: Study) -> str:
    """What was measured, or nothing."""
    if row.mean is None or row.half_width is None:
        return ""
    return with_interval(row.mean, row.half_width, study)


def published(row: Row, study: Study) -> str:
    """What was published, or nothing."""
    return "" if row.published is None else with_interval(row.published.mean, row.published.half_width, study)


def difference(row: Row, study: Study) -> str:
    """Ours minus theirs with its sign, or nothing."""
    if row.difference is None:
        return ""
    text = number(row.difference, study)
    return f"+{text}" if row.difference > 0 and float(text) else text


def verdict(row: Row) -> str:
    """A key of :data:`VERDICTS`."""
    return row.verdict or ("unpublished" if row.results else "missing")


def repeats(row: Row) -> str:
    """How many runs there are, and of how many if some are missing."""
    done = len(row.results)
    return str(done) if done == row.wanted else f"{done} of {row.wanted}"


def subscripts(text: str) -> Markup:
    """HTML in which ``ε_x`` has a subscript, and no line breaks before or after an equals sign.

    >>> subscripts("ε_x < 1")
    Markup('ε<sub>x</sub> &lt; 1')
    """
    unbroken = str(escape(text)).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    return Markup(re.sub(r"\b([εKδ])_(\w)\b", r"\1<sub>\2</sub>", unbroken))
