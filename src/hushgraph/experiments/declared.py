"""Experiments as data: each is a grid of cells in a TOML file, and a row is added there alone."""

from __future__ import annotations

import dataclasses
import itertools
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from hushgraph import _check
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
        varying: the words besides the dataset that tell the cells apart.
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
    def datasets(self) -> tuple[str, ...]:
        """Those of the cells, each once."""
        return tuple(dict.fromkeys(cell.dataset for cell in self.cells))

    def only(self, datasets: Iterable[str] | None, methods: Iterable[str] | None) -> Experiment:
        """The cells of these datasets that use one of these methods; None stands for all."""
        cells = self.cells
        if datasets is not None:
            wanted = set(datasets)
            cells = tuple(cell for cell in cells if cell.dataset in wanted)
        if methods is not None:
            used = set(methods)
            cells = tuple(cell for cell in cells if used & set(methods_of(cell)))
        return dataclasses.replace(self, cells=cells)


def methods_of(cell: Any) -> tuple[str, ...]:
    """The words of a cell that name a method: its features, its network, its loss."""
    return tuple(
        getattr(cell, word) for word in ("features", "backbone", "loss") if getattr(cell, word, None)
    )


def packaged() -> dict[str, Experiment]:
    """The experiments that come with hushgraph, by name."""
    folder = resources.files("hushgraph.experiments.catalogue")
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name
    )
    return {
        experiment.name: experiment
        for file in files
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
    return [_experiment(f"{group}/{name}", values, f"{file} [{name}]") for name, values in tables.items()]


def _experiment(name: str, values: Any, where: str) -> Experiment:
    if not isinstance(values, dict):
        raise ValueError(f"{where}: an experiment is a table with a title, a study and cells")
    accepted = ["title", "source", "study", "published", "hyperparameters", "chart", "notes", "cells"]
    for word in values:
        if word not in accepted:
            raise ValueError(f"{where}: unknown entry {word!r}{_check.nearest(word, accepted)}")
    try:
        study = STUDIES[_check.choice(values["study"], "study", STUDIES)]
        cells = tuple(
            study.read_cell(words, where) for grid in values["cells"] for words in _product(grid, where)
        )
        paper, _, table = values.get("published", "").partition("/")
        charts = tuple(
            Chart(chart["x"], chart["lines"], tuple(chart.get("panels", ["dataset"])))
            for chart in values.get("chart", [])
        )
        for word in (word for chart in charts for word in (chart.x, chart.lines, *chart.panels)):
            _check.choice(word, "a word of the chart", study.words)
        title = values["title"]
    except KeyError as error:
        raise ValueError(f"{where}: {error} is missing") from error
    except ValueError as error:
        raise error if str(error).startswith(where) else ValueError(f"{where}: {error}") from error
    return Experiment(
        name=name,
        title=title,
        source=values.get("source", ""),
        study=study,
        cells=cells,
        varying=tuple(
            word
            for word in study.words
            if word != "dataset" and len({getattr(cell, word) for cell in cells}) > 1
        ),
        published=(paper, table or None) if paper else None,
        hyperparameters=values.get("hyperparameters"),
        charts=charts,
        notes=tuple(values.get("notes", ())),
    )


def _product(grid: Mapping[str, Any], where: str) -> Iterable[dict[str, Any]]:
    if not isinstance(grid, dict):
        raise ValueError(f"{where}: cells are tables of words")
    choices = [value if isinstance(value, list) else [value] for value in grid.values()]
    for values in itertools.product(*choices):
        yield dict(zip(grid, values, strict=True))
