"""The picture of a report card: how much better than guessing each attack is, and what bounds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hushgraph.experiments.panels import COLORS, MARKERS
from hushgraph.registry import ATTACKS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hushgraph.attacks.card import Attacked
    from hushgraph.attacks.intervals import Interval
    from hushgraph.attacks.suite import Finding

WIDTH, ROW, MARGIN = 10.4, 0.42, 1.5
# Targets stand this far above each other in a row.
APART = 0.2
RARE = 0.01


class Panel(NamedTuple):
    """A measure: what guessing comes to, what is measured if anything is, and the most that ε allows."""

    title: str
    guessing: float
    measured: Callable[[Finding], Interval | None]
    most: Callable[[Finding], float | None]


def draw_card(card: Sequence[Attacked]) -> Figure:
    """Every attack a row, every target a point with its 95 % interval; a thick bar is a bound.

    Advantage is, of yes or no, 2 (accuracy - ½), and of a value the share of what is left to gain above the
    most common one. Areas and shares found are of yes or no alone.
    """
    from matplotlib.figure import Figure

    card = [target for target in card if target.findings]
    found = [finding for target in card for finding in target.findings]
    order = list(ATTACKS)
    found.sort(key=lambda finding: order.index(finding.name))
    titles = list(dict.fromkeys(finding.title for finding in found))
    panels = _panels()
    figure = Figure(figsize=(WIDTH, ROW * len(titles) + MARGIN), layout="constrained")
    axes = figure.subplots(1, len(panels), sharey=True, width_ratios=[2, 1, 1])
    for panel, axis in zip(panels, axes, strict=True):
        for number, target in enumerate(card):
            for finding in target.findings:
                height = titles.index(finding.title) + (number - (len(card) - 1) / 2) * APART
                _point(axis, panel, finding, height, number)
        axis.axvline(panel.guessing, color="#333333", linewidth=0.8)
        axis.set_xlabel(panel.title)
        axis.grid(axis="x", color="#dddddd", linewidth=0.6)
        axis.set_axisbelow(True)
        axis.spines[["top", "right", "left"]].set_visible(False)
        axis.tick_params(length=0, labelsize=9)
        axis.set_xlim(-0.02, 1.04)
    axes[0].set_ylim(len(titles) - 0.5, -0.5)
    axes[0].set_yticks(range(len(titles)), titles)
    low = min((finding.measured.advantage.low for finding in found), default=0.0)
    axes[0].set_xlim(max(-1.0, min(-0.15, low)) - 0.02, 1.04)
    _legend(figure, card, bounded=any(finding.limit.applies for finding in found))
    return figure


def _panels() -> tuple[Panel, ...]:
    from hushgraph.attacks.decisions import Decisions

    def of_decisions(one: Callable[[Decisions], Interval]) -> Callable[[Finding], Any]:
        return lambda finding: one(finding.measured) if isinstance(finding.measured, Decisions) else None

    return (
        Panel(
            "advantage: 0 is guessing, 1 is knowing",
            0.0,
            lambda finding: finding.measured.advantage,
            lambda finding: finding.limit.advantage,
        ),
        Panel("AUC", 0.5, of_decisions(lambda one: one.auc), lambda finding: finding.limit.auc),
        Panel(
            f"found at {100 * RARE:g} % false alarms",
            RARE,
            of_decisions(lambda one: one.tpr_at(RARE)),
            lambda finding: finding.limit.tpr_at(RARE),
        ),
    )


def _point(axis: Axes, panel: Panel, finding: Finding, height: float, number: int) -> None:
    told, most = panel.measured(finding), panel.most(finding)
    style: dict[str, Any] = {"color": COLORS[number], "zorder": 3}
    if told is None:
        return
    axis.plot([max(-1.0, told.low), told.high], [height, height], linewidth=1.2, **style)
    axis.plot([told.value], [height], marker=MARKERS[number], markersize=4.5, **style)
    if most is not None:
        axis.plot([most], [height], marker="|", markersize=11, markeredgewidth=2.6, **style)


def _legend(figure: Figure, card: Sequence[Attacked], *, bounded: bool) -> None:
    from matplotlib.lines import Line2D

    samples = [
        Line2D([], [], color=COLORS[number], marker=MARKERS[number], markersize=4.5, linewidth=1.2)
        for number in range(len(card))
    ]
    names = [target.title for target in card]
    if bounded:
        samples.append(
            Line2D([], [], color="#666666", marker="|", markersize=11, markeredgewidth=2.6, linewidth=0)
        )
        names.append("the most that ε allows")
    figure.legend(samples, names, loc="outside lower center", ncols=2, frameon=False, fontsize=9)
