"""The picture of a plan: forecasts over the total budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hushgraph._files import atomic_write
from hushgraph.experiments.panels import COLORS, MARKERS

if TYPE_CHECKING:
    from hushgraph.planning import BudgetSplit, Plan


def draw_plan(found: Plan, path: Path) -> None:
    """A line for each way of dividing the budget, the recommended split's interval, and the ceiling."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    budgets = found.epsilons
    places = range(len(budgets))
    taken = [found.recommended(epsilon) for epsilon in budgets]
    low, high = ([100 * getattr(one, end) for one in taken] for end in ("low", "high"))
    axes.errorbar(
        places, [100 * one.accuracy for one in taken],
        yerr=[[100 * one.accuracy - end for one, end in zip(taken, low, strict=True)],
              [end - 100 * one.accuracy for one, end in zip(taken, high, strict=True)]],
        color="#bbbbbb", linestyle="none", elinewidth=4, zorder=1, label="recommended, 90 % interval",
    )  # fmt: skip
    for number, (name, line) in enumerate(_lines(found).items()):
        heights = [100 * line[epsilon].accuracy for epsilon in budgets]
        color, marker = COLORS[number % len(COLORS)], MARKERS[number % len(MARKERS)]
        axes.plot(places, heights, label=name, markersize=5, color=color, marker=marker)
    axes.axhline(100 * found.ceiling.accuracy, color="#999999", linestyle="--", label="labels without noise")
    axes.set_xticks(places, [f"{epsilon:g}" for epsilon in budgets])
    axes.set_xlim(-0.3, len(budgets) - 0.7)
    axes.set_ylim(0, 100)
    axes.set_xlabel("total privacy budget ε of each person")
    axes.set_ylabel("forecast test accuracy (%)")
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(frameon=False, fontsize=9, loc="outside right upper")
    with atomic_write(path) as file:
        figure.savefig(file, format="png", dpi=150, metadata={"Software": None})


def _lines(found: Plan) -> dict[str, dict[float, BudgetSplit]]:
    """Splits by which shares go where, each with the number of features that does best."""
    lines: dict[str, dict[float, BudgetSplit]] = {}
    for one in found.splits:
        line = lines.setdefault(_name(one), {})
        if one.epsilon not in line or line[one.epsilon].accuracy < one.accuracy:
            line[one.epsilon] = one
    return {name: line for name, line in lines.items() if len(line) == len(found.epsilons)}


def _name(one: BudgetSplit) -> str:
    parts = {"lists": one.epsilon_a, "features": one.epsilon_x}
    named = [f"{100 * part / one.epsilon:.0f} % for {what}" for what, part in parts.items() if part]
    return ", ".join(named) or "all for the label"
