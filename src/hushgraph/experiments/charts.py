"""Charts of tables: what was measured as points and lines, drawn with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushgraph._files import atomic_write
from hushgraph.experiments.declared import Chart
from hushgraph.experiments.formatting import SUBSCRIPT
from hushgraph.experiments.panels import Line, Panel, columns_of, legend_of, make_panels
from hushgraph.experiments.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


# Inches of a panel; what a picture would say of when and by what it was made.
PANEL = (2.7, 2.2)
UNDATED = {"png": "Software", "svg": "Date"}
# Inches of a legend's entry, without its name and for each letter of it; letters that fit over a panel.
SAMPLE_WIDTH, LETTER_WIDTH, TITLE = 0.6, 0.075, 32


def draw_panel(axes: Axes, panel: Panel) -> None:
    """Draws the lines and the axes, without a title.

    The artists carry ids: ``mark-N-P`` the point of line N at place P (or ``all``), ``line-N`` what joins
    and surrounds these, ``published-N`` the published figures.
    """
    axes.set_xlim(-0.5, len(panel.ticks) - 0.5)
    axes.set_xticks(range(len(panel.ticks)), panel.ticks)
    axes.set_xlabel(_typeset(panel.x_name), labelpad=2)
    if panel.log:
        _log_scale(axes, panel.limits)
    else:
        axes.locator_params(axis="y", nbins=6, steps=[1, 2, 5, 10])
    axes.set_ylim(*panel.limits)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(length=3, width=0.6, labelsize=9)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    for line in panel.lines:
        _draw_published(axes, line)
    for line in panel.lines:
        _draw_measured(axes, line)


def sample_of(line: Line | None) -> Line2D:
    """A short piece of a line for a legend; None stands for the published ones."""
    from matplotlib.lines import Line2D

    style = _hollow("#666666", "o") if line is None else _solid(line)
    return Line2D([-1, 0, 1], [0, 0, 0], markevery=[1], **style)


def draw_chart(table: Table, chart: Chart) -> Figure | None:
    """All measured panels of a chart with one legend; None if there are none."""
    panels = [panel for panel in make_panels(table, chart) if panel.measured]
    return draw_panels(panels, table.experiment.study.quantity) if panels else None


def draw_panels(panels: Sequence[Panel], quantity: str, size: tuple[float, float] = PANEL) -> Figure:
    """Panels of this size, in inches, with what their y-axes show and one legend."""
    from matplotlib.figure import Figure

    columns = columns_of(panels)
    rows = math.ceil(len(panels) / columns)
    width = size[0] * columns + 0.3
    figure = Figure(figsize=(width, size[1] * rows + 0.5), layout="constrained")
    for number, panel in enumerate(panels, 1):
        axes = figure.add_subplot(rows, columns, number)
        draw_panel(axes, panel)
        axes.set_title(_typeset(_in_lines(panel.title)), fontsize=10)
    figure.supylabel(_typeset(quantity), fontsize=10)
    entries = legend_of(panels)
    widest = SAMPLE_WIDTH + LETTER_WIDTH * max(map(len, entries))
    figure.legend(
        [sample_of(line) for line in entries.values()],
        [_typeset(name) for name in entries],
        loc="outside lower center",
        ncols=max(1, min(len(entries), 2 * columns, int(width / widest))),
        frameon=False,
        fontsize=9,
    )
    return figure


def write_figures(table: Table, folder: Path) -> list[Path]:
    """A PNG and an SVG for each chart of the table that has anything to show."""
    charts, name = table.experiment.charts, table.experiment.file_name
    written = []
    for number, chart in enumerate(charts, 1):
        stem = f"{name}-{number}" if len(charts) > 1 else name
        if figure := draw_chart(table, chart):
            written += [save(figure, Path(folder) / f"{stem}.{ending}") for ending in UNDATED]
    return written


def save(figure: Figure, path: Path) -> Path:
    """Writes a figure as its ending says; the same figure gives the same bytes.

    Text in an SVG is outlines, so that it looks the same where its font is missing.
    """
    import matplotlib

    ending = path.suffix.removeprefix(".")
    exactly = matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": "hushgraph"})
    with atomic_write(path) as file, exactly:
        figure.savefig(file, format=ending, dpi=150, metadata={UNDATED[ending]: None})
    return path


def _log_scale(axes: Axes, limits: tuple[float, float]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    wide = limits[1] / limits[0] > 100
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0,) if wide else (1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(which="minor", length=0)


def _draw_measured(axes: Axes, line: Line) -> None:
    """Points with their intervals, joined unless one between them is missing."""
    style, gid = _solid(line), f"line-{line.number}"
    joined = []
    for mark in line.marks:
        x = (mark.place or 0) + line.offset
        if mark.row.interval is None:
            joined.append((x, math.nan))
            continue
        mean, half_width = mark.row.interval
        ends = (mean - half_width, mean + half_width)
        if mark.place is None:
            axes.fill_between(axes.get_xlim(), *ends, color=line.color, alpha=0.15, linewidth=0, gid=gid)
            axes.plot(_across(axes), [mean, mean], **style, gid=line.id_of(mark))
        else:
            joined.append((x, mean))
            axes.vlines(x, *ends, color=line.color, linewidth=1.2, gid=gid)
            axes.plot([x], [mean], **style | {"linestyle": "none"}, gid=line.id_of(mark))
    if not all(math.isnan(mean) for _, mean in joined):
        axes.plot(*zip(*joined, strict=True), **style | {"marker": "", "zorder": 2}, gid=gid)


def _draw_published(axes: Axes, line: Line) -> None:
    style = _hollow(line.color, line.marker) | {"gid": f"published-{line.number}"}
    joined = []
    for mark in line.marks:
        if mark.row.published is None:
            continue
        if mark.place is None:
            axes.plot(_across(axes), [mark.row.published.mean] * 2, **style)
        else:
            joined.append((mark.place + line.offset, mark.row.published.mean))
    if joined:
        axes.plot(*zip(*joined, strict=True), **style)


def _across(axes: Axes) -> tuple[float, float]:
    low, high = axes.get_xlim()
    return low + 0.1, high - 0.1


def _solid(line: Line) -> dict[str, Any]:
    return {"color": line.color, "marker": line.marker, "markersize": 4.2, "linewidth": 1.4, "zorder": 3}


def _hollow(color: str, marker: str) -> dict[str, Any]:
    mark = {"marker": marker, "markersize": 6.5, "markerfacecolor": "white", "markeredgewidth": 0.8}
    return {"color": color, "linestyle": (0, (4, 3)), "linewidth": 0.8, "zorder": 1.5, **mark}


def _in_lines(title: str) -> str:
    """A title that would be wider than its panel has its last part on a line of its own."""
    return title if len(title) <= TITLE else "\n".join(title.rsplit(", ", 1))


def _typeset(text: str) -> str:
    """Subscripts as matplotlib sets them; a dollar sign stays one."""
    return SUBSCRIPT.sub(r"$\1_\2$", text.replace("$", r"\$"))
