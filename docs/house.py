"""Draws the house: the rooms of hushgraph in their layers, and who imports whom.

``python docs/house.py`` (or ``make house``) writes ``docs/house.png``. Layers are those of the contract in
pyproject.toml, arrows are the imports that stand in the code. The same code gives the same bytes.
"""

from __future__ import annotations

import ast
import itertools
import textwrap
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

import grimp
import numpy as np
from layered import BOX_WIDTH, Arrow, Spot, arranged
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
from matplotlib.path import Path as Curve

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src" / "hushgraph"

SIDES = {
    "on people's devices": ("#2a7f62", {"device", "mechanisms", "privacy"}),
    "on the server": ("#3566a8", {"collection", "collector", "sparse", "denoise", "nn", "local"}),
    "where the truth is known": (
        "#b0542c",
        {"graph", "split", "datasets", "metrics", "curator", "attacks", "audit"},
    ),
    "around them": ("#6a5d7b", {"cli", "experiments", "planning", "repeats"}),
}
OTHERS = "#5b6470"
PAPER, INK = "#fbfaf7", "#23272e"

# Inches.
BOX_HEIGHT, STOREY, MARGIN = 0.82, 1.4, 0.55
NAME, LINE = 0.26, 0.145
LETTERS, LONGEST = 31, 60


def layers_of_contract() -> list[list[str]]:
    """The rooms of each layer, the highest first."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
    contracts = project["tool"]["importlinter"]["contracts"]
    (contract,) = (one for one in contracts if one["type"] == "layers")
    return [[room.strip() for room in layer.split("|")] for layer in contract["layers"]]


def imports(rooms: Iterable[str]) -> set[Arrow]:
    """Which of the rooms import which, directly."""
    graph = grimp.build_graph("hushgraph", exclude_type_checking_imports=True, cache_dir=None)
    known = set(rooms)
    arrows = set()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            room, other = (name.partition(".")[2].partition(".")[0] for name in (module, imported))
            if room != other and {room, other} <= known:
                arrows.add((room, other))
    return arrows


def told_by_no_longer_way(arrows: set[Arrow]) -> list[Arrow]:
    """The arrows without those that a chain of others tells already."""

    def reached(room: str) -> set[str]:
        nexts = {other for start, other in arrows if start == room}
        return nexts.union(*map(reached, nexts))

    return sorted(
        (room, other)
        for room, other in arrows
        if not any(other in reached(between) for start, between in arrows if start == room)
    )


def described(room: str) -> str:
    """What the room says about itself, in a few words."""
    file = SOURCE / room / "__init__.py" if (SOURCE / room).is_dir() else SOURCE / f"{room}.py"
    said = (ast.get_docstring(ast.parse(file.read_text())) or "").split("\n\n")[0].replace("``", "")
    clauses = [clause.strip(" .") for part in said.split(":") for clause in part.split(";")]
    words = clauses[1] if len(clauses) > 1 and " " not in clauses[0] else clauses[0]
    if len(words) > LONGEST:
        words = words.split(",")[0]
    return textwrap.fill(words[:1].upper() + words[1:].replace("\n", " "), LETTERS)


def color_of(room: str) -> str:
    """That of the side on which the room stands."""
    return next((color for color, rooms in SIDES.values() if room in rooms), OTHERS)


def draw() -> Figure:
    """The whole picture."""
    *layers, foundation = layers_of_contract()
    arrows = told_by_no_longer_way(imports(itertools.chain(*layers)))
    rows, ways = arranged(layers, arrows)
    left = min(spot.x - spot.width / 2 for row in rows for spot in row) - MARGIN
    right = max(spot.x + spot.width / 2 for row in rows for spot in row) + MARGIN
    top, bottom = 1.35, -(len(rows) - 1) * STOREY - 1.55
    figure = Figure(figsize=(right - left, top - bottom), facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    for way in ways:
        _draw_arrow(axes, way)
    for spot in itertools.chain(*rows):
        if spot.room is not None:
            _draw_box(axes, spot.x, spot.layer, spot.room)
    _draw_foundation(axes, (left + MARGIN, right - MARGIN), bottom + 0.45, foundation)
    _draw_words(axes, left + MARGIN, top)
    return figure


def _draw_arrow(axes: Axes, way: Sequence[Spot]) -> None:
    """From the floor of a room to the ceiling of another, straight down on lanes and curved between."""
    points: list[tuple[float, float]] = []
    codes: list[np.uint8] = []
    for upper, lower in itertools.pairwise(way):
        start = _port(upper, upper.below, lower), -upper.layer * STOREY - BOX_HEIGHT / 2
        end = _port(lower, lower.above, upper), -lower.layer * STOREY + BOX_HEIGHT / 2
        middle = (start[1] + end[1]) / 2
        points += [start, (start[0], middle), (end[0], middle), end]
        codes += [Curve.LINETO if codes else Curve.MOVETO, *[Curve.CURVE4] * 3]
    room = way[0].room
    assert room is not None
    color = color_of(room)
    axes.add_patch(PathPatch(Curve(points, codes), fill=False, edgecolor=color, linewidth=1.4, zorder=1))
    x, y = points[-1]
    head = [(x, y), (x - 0.055, y + 0.14), (x + 0.055, y + 0.14)]
    axes.add_patch(Polygon(head, facecolor=color, edgecolor="none", zorder=1))


def _port(spot: Spot, neighbours: Sequence[Spot], neighbour: Spot) -> float:
    """Where on its wall an arrow leaves or enters: side by side, in the order of where they lead."""
    if spot.room is None:
        return spot.x
    order = sorted(neighbours, key=lambda one: one.x)
    apart = min(0.32, 0.7 * BOX_WIDTH / len(order))
    return spot.x + (order.index(neighbour) - (len(order) - 1) / 2) * apart


def _draw_box(axes: Axes, x: float, layer: int, room: str) -> None:
    y, color = -layer * STOREY, color_of(room)
    axes.add_patch(
        FancyBboxPatch(
            (x - BOX_WIDTH / 2, y - BOX_HEIGHT / 2),
            BOX_WIDTH,
            BOX_HEIGHT,
            boxstyle="round,pad=0,rounding_size=0.09",
            facecolor="white",
            edgecolor=color,
            linewidth=1.4,
            zorder=2,
        )
    )
    words = described(room)
    lines = words.count("\n") + 1
    ceiling = y + (NAME + lines * LINE) / 2
    title = FontProperties(weight="bold", size=12)
    axes.text(x, ceiling - 0.1, room, ha="center", va="center", fontproperties=title, color=color, zorder=3)
    for number, line in enumerate(words.split("\n")):
        height = ceiling - NAME - (number + 0.5) * LINE
        axes.text(x, height, line, ha="center", va="center", fontsize=8, color=INK, zorder=3)


def _draw_foundation(axes: Axes, ends: tuple[float, float], y: float, rooms: Sequence[str]) -> None:
    left, right = ends
    axes.add_patch(
        FancyBboxPatch(
            (left, y - 0.22),
            right - left,
            0.44,
            boxstyle="round,pad=0,rounding_size=0.09",
            facecolor="#e9e6df",
            edgecolor="none",
        )
    )
    names = "      ".join(rooms)
    axes.text((left + right) / 2, y, names, ha="center", va="center", fontsize=10, color=INK)
    axes.text(right - 0.2, y, "every room stands on these", ha="right", va="center", fontsize=8, color=OTHERS)


def _draw_words(axes: Axes, left: float, top: float) -> None:
    axes.text(left, top - 0.42, "The rooms of hushgraph", fontsize=17, fontweight="bold", color=INK)
    axes.text(
        left,
        top - 0.5,
        "A room imports only rooms below it. Arrows that a\nlonger way tells already are left out.",
        fontsize=9,
        va="top",
        color=OTHERS,
    )
    for number, (side, (color, _)) in enumerate(SIDES.items()):
        y = top - 1.15 - 0.24 * number
        axes.add_patch(
            FancyBboxPatch(
                (left, y - 0.06),
                0.2,
                0.12,
                boxstyle="round,pad=0,rounding_size=0.03",
                facecolor="white",
                edgecolor=color,
                linewidth=1.4,
            )
        )
        axes.text(left + 0.3, y, side, fontsize=9, va="center", color=color)


if __name__ == "__main__":
    draw().savefig(HERE / "house.png", dpi=120, metadata={"Software": None})
