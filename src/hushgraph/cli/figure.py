"""The accuracy-against-ε picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hushgraph._files import atomic_write


@dataclass(frozen=True, slots=True)
class Outcome:
    """The accuracy of one setting: a point at its budget, or a line where none is spent."""

    name: str
    epsilon: float
    mean: float
    half_width: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        epsilon = "inf" if math.isinf(self.epsilon) else self.epsilon
        return {"name": self.name, "epsilon": epsilon, "accuracy": self.mean, "half_width": self.half_width}


def draw_accuracy(outcomes: Sequence[Outcome], path: Path) -> None:
    """Draws points with 95 % intervals over ε on a log scale, and lines for what does not depend on it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 5.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    private = [outcome for outcome in outcomes if math.isfinite(outcome.epsilon)]
    epsilons = [outcome.epsilon for outcome in private]
    axes.errorbar(
        epsilons,
        [100 * outcome.mean for outcome in private],
        [100 * outcome.half_width for outcome in private],
        marker="o",
        capsize=3,
        linewidth=2,
        color="#1b6ca8",
        label="hushgraph (LPGNN)",
    )
    lines = [outcome for outcome in outcomes if math.isinf(outcome.epsilon)]
    for outcome, style, color in zip(
        lines, ("-", "--", "-.", ":"), ("#222222", "#b5541c", "#8a8a8a", "#7a4fa3"), strict=False
    ):
        axes.axhline(100 * outcome.mean, linestyle=style, color=color, linewidth=1.5, label=outcome.name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(epsilons, [f"{epsilon:g}" for epsilon in epsilons])
    axes.set_xlabel(
        "privacy budget ε of each person, half for features and half for the label (smaller is more private)"
    )
    axes.set_ylabel("test accuracy (%)")
    axes.set_title("What privacy costs on the built-in social network")
    axes.grid(alpha=0.25)
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    with atomic_write(path) as file:
        figure.savefig(file, format="png", dpi=150)
