"""Panels as SVG elements of an HTML page, which a script can take hold of."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from hushgraph.experiments import formatting
from hushgraph.experiments.charts import draw_panel, sample_of
from hushgraph.experiments.panels import Line, Panel
from hushgraph.experiments.tables import Row, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANEL = (3.3, 2.3)
SAMPLE = (0.4, 0.2)


def draw(panel: Panel, table: Table, salt: str) -> Markup:
    """The panel with its points marked up for the script, screen readers and, as titles, for everyone else.

    The salt makes its ids differ from those of other pictures on the page.
    """
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    figure = Figure(figsize=PANEL, layout=ConstrainedLayoutEngine(w_pad=0.02, h_pad=0.02))
    draw_panel(figure.add_subplot(facecolor="none"), panel)
    svg = inline(figure, salt)
    svg.attrib |= {"role": "group", "aria-label": f"{panel.title}: {table.experiment.study.quantity}"}
    rows = {line.id_of(mark): mark.row for line in panel.lines for mark in line.marks}
    for element in svg.iter():
        kind, _, rest = element.get("id", "").partition("-")
        if kind in ("line", "published", "mark"):
            del element.attrib["id"]
            element.attrib |= {"class": kind, "data-line": rest.partition("-")[0]}
        if kind == "mark":
            text = describe(table, rows[f"{kind}-{rest}"])
            element.attrib |= {"role": "img", "aria-label": text.replace("\n", "; ")}
            title = ET.Element("title")
            title.text = text
            element.insert(0, title)
    return markup(svg)


def sample(line: Line | None, salt: str) -> Markup:
    """A short piece of a line, for the legend."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=SAMPLE)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-1, 1), ylim=(-1, 1))
    axes.set_axis_off()
    axes.add_line(sample_of(line))
    svg = inline(figure, salt)
    svg.set("aria-hidden", "true")
    return markup(svg)


def describe(table: Table, row: Row) -> str:
    """What a point says when asked: what it is, the mean and its interval, and the published figure."""
    lines = [table.label(row), f"{formatting.ours(row)} ({formatting.counted(len(row.values), 'repeat')})"]
    if row.published is not None:
        lines.append(f"published: {formatting.published(row)}")
    if row.trouble:
        lines.append(row.trouble)
    return "\n".join(lines)


def inline(figure: Figure, salt: str) -> ET.Element:
    """The figure without what only a file of its own needs: size, metadata, namespaces, unused ids."""
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}):
        figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
    svg = ET.fromstring(file.getvalue())
    used = set(re.findall(rb'[("]#([\w.-]+)', file.getvalue()))
    for parent in list(svg.iter()):
        parent.tag = _local(parent.tag)
        parent.attrib = {_local(name): _short(name, value) for name, value in parent.attrib.items()}
        identity = parent.get("id", "")
        if identity.encode() not in used and not re.match("(line|published|mark)-", identity):
            parent.attrib.pop("id", None)
        for child in list(parent):
            if _local(child.tag) in ("metadata", "style"):
                parent.remove(child)
    svg.attrib = {"viewBox": svg.attrib["viewBox"]}
    return svg


def _local(name: Any) -> str:
    return str(name).rpartition("}")[2]


def _short(name: str, value: str) -> str:
    """Coordinates to a hundredth of a point, which nobody sees more of, and the page's font."""
    if name == "style":
        return re.sub(r"(; )?font-family: [^;]*", "", value)
    if name not in ("d", "x", "y", "transform"):
        return value
    return re.sub(r"-?\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), value)


def markup(svg: ET.Element) -> Markup:
    """The element as HTML has it."""
    return Markup(re.sub(r">\s+<", "><", ET.tostring(svg, encoding="unicode")))
