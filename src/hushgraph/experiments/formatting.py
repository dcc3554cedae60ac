"""Names and numbers as people write them."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushgraph import registry
from hushgraph.datasets import loading as datasets
from hushgraph.metrics import mean_and_interval

if TYPE_CHECKING:
    from hushgraph.experiments.studies.study import Study
    from hushgraph.experiments.tables import Row

# With fewer repeats than this, the bootstrap's interval is not shown alone.
FEW = 10
# What is set as a subscript where that can be.
SUBSCRIPT = re.compile(r"\b([εKδλ])_(\w)\b")
SYMBOLS = {
    "epsilon_x": "ε_x", "epsilon_y": "ε_y", "epsilon_a": "ε_a", "k_x": "K_x", "k_y": "K_y", "delta": "δ",
    "lambda_1": "λ_1", "lambda_2": "λ_2", "epsilon": "ε", "hops": "K", "max_degree": "D_max",
}  # fmt: skip
# Of values that are no method, mechanism, network or graph: those carry their titles.
NAMES = {
    "degree": "one-hot degree",
    "raw": "true features",
    "drop": "Drop",
    "forward": "forward correction",
    "cross_entropy": "cross-entropy",
    "equal": "equal shares",
    "less_for_sums": "less for sums",
}


def name_of(value: Any) -> str:
    """A word or a number as people write it."""
    if isinstance(value, float):
        return "∞" if math.isinf(value) else f"{value:g}"
    title = NAMES.get(value) or registry.title_of(value) or datasets.title_of(value)
    return title or Path(str(value)).name.removesuffix(".npz")


def shown(word: str, value: Any) -> str:
    """A word of a cell with its value, such as ``"ε_x = 0.1"`` or ``"multi-bit"``."""
    if isinstance(value, str) and word != "selection":
        return name_of(value)
    return f"{symbol(word)} = {name_of(value)}"


def symbol(word: str) -> str:
    """A word of a cell as an axis calls it, such as ``"ε_x"``."""
    return SYMBOLS.get(word, word.replace("_", " "))


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


def ours(row: Row) -> str:
    """What was measured, or nothing; where repeats are few, Student's interval beside the bootstrap's."""
    if row.mean is None or row.half_width is None:
        return ""
    text = with_interval(row.mean, row.half_width, row.study)
    if row.t_half_width and len(row.values) < FEW:
        text += f" (t: ± {number(row.t_half_width, row.study)})"
    return text


def graph_alone(row: Row) -> str:
    """What comes of it where features tell nothing; a dash where that is no question."""
    if row.control is None:
        return "–"
    return ours(row.control) or row.control.trouble


def also(row: Row) -> str:
    """What else was measured, in a line, such as ``"AUC 66.1 ± 0.8, right at most 98.2"``."""
    return ", ".join(
        f"{row.study.also[name]} {with_interval(*mean_and_interval(values), row.study)}"
        for name, values in row.also.items()
        if values
    )


def published(row: Row) -> str:
    """What was published, or nothing."""
    figure = row.published
    return "" if figure is None else with_interval(figure.mean, figure.half_width, row.study)


def difference(row: Row) -> str:
    """Ours minus theirs with its sign, or nothing."""
    if row.difference is None:
        return ""
    text = number(row.difference, row.study)
    return f"+{text}" if row.difference > 0 and float(text) else text


def repeats(row: Row) -> str:
    """How many runs there are, and of how many if some are missing."""
    done = len(row.values)
    return str(done) if done == row.wanted else f"{done} of {row.wanted}"


def counted(number: int, word: str) -> str:
    """Such as ``"1 run"`` or ``"3 runs"``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
