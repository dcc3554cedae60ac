"""The accuracy-against-ε picture of the demo."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hushgraph.experiments.charts import draw_panels, save
from hushgraph.experiments.panels import APART, Line, Mark, Panel, limits_of
from hushgraph.experiments.studies import STUDIES
from hushgraph.experiments.tables import Row
from hushgraph.metrics import mean_and_interval, student_half_width


@dataclass(frozen=True, slots=True)
class Point:
    """The accuracies of one setting: a point at its budget, or a line where none is spent."""

    name: str
    epsilon: float
    accuracies: Sequence[float]

    @property
    def row(self) -> Row:
        """As tables and charts show it, in percent."""
        percent = [100 * accuracy for accuracy in self.accuracies]
        return Row(None, percent, len(percent), STUDIES["lpgnn"])

    @property
    def shown(self) -> str:
        """In percent, with Student's interval: there are few seeds."""
        mean = f"{100 * mean_and_interval(self.accuracies)[0]:.1f}"
        few = len(self.accuracies) > 1
        return f"{mean} ± {100 * student_half_width(self.accuracies):.1f}" if few else mean

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        epsilon = "inf" if math.isinf(self.epsilon) else self.epsilon
        mean, half_width = mean_and_interval(self.accuracies)
        return {
            "name": self.name,
            "epsilon": epsilon,
            "accuracy": mean,
            "half_width": half_width,
            "t_half_width": student_half_width(self.accuracies) if len(self.accuracies) > 1 else None,
            "values": list(self.accuracies),
        }


def draw_accuracy(points: Sequence[Point], path: Path) -> None:
    """Draws a line for each name over ε, with 95 % intervals; what is not private holds all along.

    Of the latter only the best is drawn: it is the ceiling.
    """
    private = [point for point in points if math.isfinite(point.epsilon)]
    others = [point for point in points if math.isinf(point.epsilon)]
    ceiling = max(others, key=lambda point: mean_and_interval(point.accuracies)[0])
    budgets = sorted({point.epsilon for point in private})
    names = list(dict.fromkeys(point.name for point in private))
    middle = (len(names) - 1) / 2
    lines = [
        Line(
            number,
            name,
            (number - middle) * APART,
            tuple(Mark(point.row, budgets.index(point.epsilon)) for point in private if point.name == name),
        )
        for number, name in enumerate(names)
    ]
    lines.append(
        Line(
            len(names),
            f"not private (ε = ∞): {ceiling.name.replace('half on', 'with')}",
            marks=(Mark(ceiling.row, None),),
        )
    )
    panel = Panel(
        key=(),
        title="What privacy costs on the built-in social network",
        x_name="privacy budget ε of each person",
        ticks=tuple(f"{epsilon:g}" for epsilon in budgets),
        lines=tuple(lines),
        limits=limits_of([point.row for point in (*private, ceiling)], log=False),
        log=False,
    )
    save(draw_panels([panel], "test accuracy (%)", size=(6.5, 4.2)), path)
