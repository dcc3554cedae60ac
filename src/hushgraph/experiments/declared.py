"""Experiments as data: each is a grid of cells in a TOML file, and a row is added there alone."""

from __future__ import annotations

import dataclasses
import itertools
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from hushgraph import _check
from hushgraph.experiments.old_names import todays_name
from hushgraph.experiments.published_figures import PAPERS
from hushgraph.experiments.studies import STUDIES
from hushgraph.experiments.studies.study import Study


@dataclass(frozen=True, slots=True)
class Chart:
    """Which word runs along the x-axis, which makes the lines, and which make one panel each."""

    x: str
    lines: str
    panels: tuple[str, ...] = ("dataset",)


@dataclass(frozen=True, slots=True)
class Experiment:
    """A table or a figure: a title, its cells, and where the published figures stand.

    Attributes:
        name: such as ``"lpgnn/table2"``.
        title: what it shows.
        source: where it is from.
        study: how its cells are measured.
        cells: in the order of the table.
        varying: the fields besides the dataset that tell the cells apart.
        published: paper and table (or any) in the file of published figures; none if there is only a picture.
        hyperparameters: a packaged set, if not those that the LPGNN authors published.
        charts: how its pictures are laid out.
        notes: what a reader should know.
    """

    name: str
    title: str
    source: str
    study: Study
    cells: tuple[Any, ...]
    varying: tuple[str, ...] = ()
    published: tuple[str, str | None] | None = None
    hyperparameters: str | None = None
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        """What its files are called, before their ending."""
        return self.name.replace("/", "-")

    @property
    def datasets(self) -> tuple[str, ...]:
        """Those of the cells, each once."""
        return tuple(dict.fromkeys(cell.dataset for cell in self.cells))

    def only(self, datasets: Collection[str] | None, methods: Collection[str] | None) -> Experiment:
        """The cells of these datasets that use one of these methods; None stands for all."""
        cells = (cell for cell in self.cells if datasets is None or cell.dataset in datasets)
        kept = tuple(cell for cell in cells if methods is None or set(methods) & set(methods_of(cell)))
        return dataclasses.replace(self, cells=kept)


def methods_of(cell: Any) -> tuple[str, ...]:
    """The words of a cell that name a method: the method itself, its features, its network, its loss."""
    words = ("method", "features", "backbone", "loss")
    return tuple(getattr(cell, word) for word in words if getattr(cell, word, None))


def packaged() -> dict[str, Experiment]:
    """The experiments that come with hushgraph, by name."""
    files = sorted(resources.files("hushgraph.experiments.catalog").iterdir(), key=lambda file: file.name)
    return {
        experiment.name: experiment
        for file in files
        if file.name.endswith(".toml")
        for experiment in parse(file.read_text("utf-8"), file.name.removesuffix(".toml"), file.name)
    }


def find(names: Iterable[str]) -> list[Experiment]:
    """The experiments of these names; a group's name stands for all of it, a TOML file for its own."""
    known = packaged()
    groups = list(dict.fromkeys(name.split("/")[0] for name in known))
    found: dict[str, Experiment] = {}
    for name in names:
        if name.endswith(".toml"):
            path = Path(name)
            chosen = parse(path.read_text(encoding="utf-8"), path.stem, name)
            for experiment in chosen:
                if experiment.name in known or found.get(experiment.name, experiment) != experiment:
                    raise ValueError(f"{name}: there is another {experiment.name!r}; rename the file")
        elif name in groups:
            chosen = [experiment for experiment in known.values() if experiment.name.startswith(f"{name}/")]
        elif name in known:
            chosen = [known[name]]
        else:
            raise ValueError(
                f"there is no experiment named {name!r}{_check.nearest(name, [*known, *groups])};"
                f" known are {', '.join(known)}"
            )
        found.update((experiment.name, experiment) for experiment in chosen)
    if not found:
        raise ValueError(f"name an experiment; known are {', '.join(known)}")
    return list(found.values())


def parse(text: str, group: str, file: str) -> list[Experiment]:
    """The experiments of one file, named after their group."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: {error}") from error
    if not tables:
        raise ValueError(f"{file} declares no experiment")
    return [
        _experiment(f"{group}/{name}", values, f"{file} [{name}]", Path(file).parent)
        for name, values in tables.items()
    ]


ENTRIES = {
    "title": str, "study": str, "cells": list,
    "source": str, "published": str, "hyperparameters": str, "chart": list, "notes": list,
}  # fmt: skip
REQUIRED = ("title", "study", "cells")


def _experiment(name: str, values: Any, where: str, folder: Path) -> Experiment:
    _check_entries(values, where)
    try:
        study = STUDIES[_check.choice(values["study"], "study", STUDIES)]
        charts = tuple(_chart(chart, study) for chart in values.get("chart", []))
        paper, _, table = values.get("published", "").partition("/")
        measured = PAPERS[_check.choice(paper, "published", PAPERS)] if paper else study.name
        if study.name != measured:
            raise ValueError(f"the published figures are of the study {measured!r}, not of {study.name!r}")
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
    words = (words for grid in values["cells"] for words in _product(grid, where, folder))
    cells = tuple(dict.fromkeys(study.read_cell(one, where) for one in words))  # equal cells are one
    if not cells:
        raise ValueError(f"{where}: there is no cell; a list without values stands for none")
    fields = (name for name in study.fields if name != "dataset")
    return Experiment(
        name=name,
        title=values["title"],
        source=values.get("source", ""),
        study=study,
        cells=cells,
        varying=tuple(name for name in fields if len({getattr(cell, name) for cell in cells}) > 1),
        published=(paper, table or None) if paper else None,
        hyperparameters=values.get("hyperparameters"),
        charts=charts,
        notes=tuple(values.get("notes", ())),
    )


def _check_entries(values: Any, where: str) -> None:
    if not isinstance(values, dict):
        raise ValueError(f"{where}: an experiment is a table with {', '.join(REQUIRED)}")
    for word, value in values.items():
        if word not in ENTRIES:
            raise ValueError(f"{where}: unknown entry {word!r}{_check.nearest(word, ENTRIES)}")
        if not isinstance(value, ENTRIES[word]):
            kind = "a text" if ENTRIES[word] is str else "a list"
            raise ValueError(f"{where}: {word} must be {kind}, got {value!r}")
    for word in REQUIRED:
        if word not in values:
            raise ValueError(f"{where}: {word!r} is missing")


def _chart(values: Any, study: Study) -> Chart:
    if not isinstance(values, dict) or not {"x", "lines"} <= values.keys() <= {"x", "lines", "panels"}:
        raise ValueError(f"a chart has x, lines and perhaps panels, got {values!r}")
    x, lines, *panels = map(todays_name, (values["x"], values["lines"], *values.get("panels", ["dataset"])))
    chart = Chart(x, lines, tuple(panels))
    for word in (chart.x, chart.lines, *chart.panels):
        _check.choice(word, "a field of the chart", study.fields)
    return chart


def _product(grid: Any, where: str, folder: Path) -> Iterable[dict[str, Any]]:
    if not isinstance(grid, dict):
        raise ValueError(f"{where}: cells are tables of words, got {grid!r}")
    choices = [value if isinstance(value, list) else [value] for value in grid.values()]
    for values in itertools.product(*choices):
        words = dict(zip(grid, values, strict=True))
        for word, value in words.items():
            if not isinstance(value, str | int | float):
                raise ValueError(f"{where}: {word} must be a text or a number, got {value!r}")
        dataset = words.get("dataset")
        if isinstance(dataset, str) and dataset.endswith(".npz"):
            words["dataset"] = str(folder / dataset)
        yield words
