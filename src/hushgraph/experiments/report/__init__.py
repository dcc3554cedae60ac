"""The report: every table and chart of a reproduction in one HTML file that needs nothing else."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

import hushgraph
from hushgraph._files import atomic_write
from hushgraph.experiments import formatting
from hushgraph.experiments.declared import Chart
from hushgraph.experiments.panels import columns_of, legend_of, make_panels
from hushgraph.experiments.report import pictures
from hushgraph.experiments.report.promises import promises_of
from hushgraph.experiments.report.symbols import STATUSES, VERDICTS, subscripts
from hushgraph.experiments.tables import DECISIVE, NOT_AVAILABLE, NOT_RUN, Row, Table

NO_BREAK = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class About:
    """What was run, and on what.

    Graphs are datasets in words; of one that is unavailable it says why, and of failures one line each.
    ``asked`` is how often the user's own people answered, and what that adds up to.
    """

    command: str
    repeats: int
    hyperparameters: str = ""
    graphs: Mapping[str, str] = field(default_factory=dict)
    asked: Sequence[str] = ()
    unavailable: Mapping[str, str] = field(default_factory=dict)
    failures: Sequence[str] = ()
    version: str = hushgraph.__version__


def write_report(tables: Sequence[Table], about: About, folder: Path) -> Path:
    """Writes ``report.html`` into the folder, whole or not at all."""
    path = Path(folder) / "report.html"
    with atomic_write(path) as file:
        file.write(render(tables, about).encode())
    return path


def render(tables: Sequence[Table], about: About) -> str:
    """The report as HTML; the same for the same tables."""
    page = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page.filters |= {"subscripts": subscripts, "name": formatting.name_of}
    rows = [row for table in tables for row in table.rows]
    # Every run once: experiments share cells.
    runs = list({id(run): run for row in rows for run in row.results}.values())
    environments = Counter(tuple(run.environment.items()) for run in runs)
    return page.from_string(_read("report.html.j2")).render(
        css=Markup(_read("report.css")),
        js=Markup(_read("report.js")),
        about=about,
        experiments=[_experiment(table) for table in tables],
        counts={name: sum(table.counts[name] for table in tables) for name in VERDICTS},
        cells=len(rows),
        environments=[(dict(items), number) for items, number in environments.most_common()],
        runs=len(runs),
        read=not runs and any(row.values for row in rows),
        hours=sum(run.outcome.seconds for run in runs) / 3600,
        methods=promises_of(tables),
        verdicts=VERDICTS,
        statuses=STATUSES,
        few=formatting.FEW,
        decisive=DECISIVE,
    )


def _read(name: str) -> str:
    return (resources.files(__name__) / name).read_text("utf-8")


def _experiment(table: Table) -> dict[str, Any]:
    experiment = table.experiment
    return {
        "id": experiment.file_name,
        "declared": experiment,
        "counts": table.counts,
        "charts": [_chart(table, chart, number) for number, chart in enumerate(experiment.charts, 1)],
        "has_published": any(row.published for row in table.rows),
        "controlled": table.controlled,
        "datasets": _datasets(table),
    }


def _chart(table: Table, chart: Chart, number: int) -> dict[str, Any]:
    panels = make_panels(table, chart)
    measured = [panel for panel in panels if panel.measured]
    left_out = defaultdict(list)
    for panel in panels:
        if not panel.measured:
            left_out[panel.trouble].append(panel.title)
    salt = f"{table.experiment.name} {number}"
    return {
        "x": formatting.symbol(chart.x),
        "quantity": table.experiment.study.quantity,
        "log": any(panel.log for panel in measured),
        "columns": columns_of(measured) if measured else 1,
        # What an entry toggles is the number of a line, or "published".
        "legend": [
            {
                "name": name,
                "toggles": "published" if line is None else line.number,
                "sample": pictures.sample(line, f"{salt} sample {name}"),
            }
            for name, line in (legend_of(measured) if measured else {}).items()
        ],
        "panels": [
            {"title": panel.title, "svg": pictures.draw(panel, table, f"{salt} {panel.title}")}
            for panel in measured
        ],
        "left_out": left_out,
    }


def _datasets(table: Table) -> list[dict[str, Any]]:
    """The rows of each dataset; where there is neither a figure of ours nor a published one, only why."""
    datasets = []
    for dataset in table.experiment.datasets:
        rows = [row for row in table.rows if row.cell.dataset == dataset]
        troubles = {row.trouble for row in rows}
        empty = len(troubles) == 1 and not any(row.measured or row.published for row in rows)
        shown = [] if empty else [_row(table, row) for row in rows]
        datasets.append({"name": dataset, "rows": shown, "trouble": rows[0].trouble if empty else ""})
    return datasets


def _row(table: Table, row: Row) -> dict[str, Any]:
    return {
        "what": table.label(row) or "all",
        # A line may end between the two intervals alone.
        "ours": formatting.ours(row).replace(" ", NO_BREAK).replace(f"{NO_BREAK}(", " ("),
        "alone": formatting.graph_alone(row).replace(" ", NO_BREAK).replace(f"{NO_BREAK}(", " ("),
        "published": formatting.published(row),
        "difference": formatting.difference(row),
        "verdict": row.verdict,
        "repeats": formatting.repeats(row),
        "also": formatting.also(row),
        "trouble": row.trouble,
        # A failure needs a line of its own; that there is nothing is said in its place.
        "explained": row.trouble not in ("", NOT_AVAILABLE, NOT_RUN),
        "absent": bool(row.trouble) and not row.values,
    }
