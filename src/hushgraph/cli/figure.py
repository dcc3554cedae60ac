"""The accuracy-against-ε picture of the demo."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hushgraph.experiments.charts import draw_panels, save
from hushgraph.experiments.panels import Line, Mark, Panel, limits_of
from hushgraph.experiments.studies import STUDIES
from hushgraph.experiments.tables import Row
from hushgraph.metrics import mean_and_interval


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

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        epsilon = "inf" if math.isinf(self.epsilon) else self.epsilon
        mean, half_width = mean_and_interval(self.accuracies)
        figures = {"accuracy": mean, "half_width": half_width, "values": list(self.accuracies)}
        return {"name": self.name, "epsilon": epsilon, **figures}


def draw_accuracy(points: Sequence[Point], path: Path) -> None:
    """Draws points with 95 % intervals over ε, and lines for what does not depend on it."""
    private = [point for point in points if math.isfinite(point.epsilon)]
    others = [point for point in points if math.isinf(point.epsilon)]
    marks = tuple(Mark(point.row, place) for place, point in enumerate(private))
    lines = (
        Line(0, "hushgraph (LPGNN)", marks=marks),
        *(Line(number, other.name, marks=(Mark(other.row, None),)) for number, other in enumerate(others, 1)),
    )
    panel = Panel(
        key=(),
        title="What privacy costs on the built-in social network",
        x_name="privacy budget ε of each person, half for features and half for the label",
        ticks=tuple(f"{point.epsilon:g}" for point in private),
        lines=lines,
        limits=limits_of([point.row for point in points], log=False),
        log=False,
    )
    save(draw_panels([panel], "test accuracy (%)", size=(6.5, 4.2)), path)
