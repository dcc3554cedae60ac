"""The picture of a report card: how much better than guessing each attack is, and what bounds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hushgraph.experiments.panels import COLORS, MARKERS
from hushgraph.registry import ATTACKS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hushgraph.attacks.card import Attacked

WIDTH, ROW, MARGIN = 7.6, 0.42, 1.5
# Targets stand this far above each other in a row.
APART = 0.2


def draw_card(card: Sequence[Attacked]) -> Figure:
    """Every attack a row, every target a point with its 95 % interval; a thick bar is a bound.

    0 is guessing and 1 is knowing: of yes or no 2 (accuracy - ½), of a value the share of what is left to
    gain above the most common one.
    """
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    found = [finding for target in card for finding in target.findings]
    order = list(ATTACKS)
    found.sort(key=lambda finding: order.index(finding.name))
    titles = list(dict.fromkeys(finding.title for finding in found))
    figure = Figure(figsize=(WIDTH, ROW * len(titles) + MARGIN), layout="constrained")
    axes = figure.add_subplot()
    bounded = False
    for number, target in enumerate(card):
        style: dict[str, Any] = {"color": COLORS[number], "zorder": 3}
        for finding in target.findings:
            height = titles.index(finding.title) + (number - (len(card) - 1) / 2) * APART
            gained = finding.measured.advantage
            axes.plot([max(-1.0, gained.low), gained.high], [height, height], linewidth=1.2, **style)
            axes.plot([gained.value], [height], marker=MARKERS[number], markersize=4.5, **style)
            if finding.limit.advantage is not None:
                bounded = True
                axes.plot(
                    [finding.limit.advantage],
                    [height],
                    marker="|",
                    markersize=11,
                    markeredgewidth=2.6,
                    **style,
                )
    axes.axvline(0, color="#333333", linewidth=0.8)
    axes.set_ylim(len(titles) - 0.5, -0.5)
    axes.set_yticks(range(len(titles)), titles)
    low = min((finding.measured.advantage.low for finding in found), default=0.0)
    axes.set_xlim(max(-1.0, min(-0.15, low)) - 0.02, 1.04)
    axes.set_xlabel("advantage: 0 is guessing, 1 is knowing")
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0, labelsize=9)
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
    return figure
