"""A study: one kind of measurement that the cells of a table can be made of."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hushgraph import _check
from hushgraph.experiments import old_names
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.graph import Graph
from hushgraph.privacy import Guarantee

Configuration = dict[str, Any]
"""Everything that a run depends on besides the graph and the seed, as plain JSON values."""

Progress = Callable[[float], None]
"""Is told which share of a run is done."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run measured, and what it promised to the people in it."""

    value: float
    seconds: float
    guarantee: Guarantee
    details: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Study:
    """How cells of one kind are read, run and shown.

    Attributes:
        name: as experiments name it.
        cell: a frozen dataclass: its fields, with their defaults and checks.
        configure: what a cell comes to, given the hyper-parameters.
        measure: one run; deterministic on a CPU given graph, configuration and seed.
        shared: the part of a configuration that runs of the same seed can share; they go to the same worker.
        promise: what a run promises to the people of a graph, before anything is asked of them.
        cost: a rough price of a run, for the order of work and the time left.
        revision: raised whenever a run computes something else than before; part of what a run is known by.
        quantity: what the value is, such as ``"test accuracy (%)"``.
        scale: factor from a value to what tables show.
        higher_is_better: which side of the published figure is *above*.
        uses_device: whether a run uses the device that it is given, or the CPU in any case.
        shares_reports: whether runs that share something share what people sent; otherwise every run asks or
            releases anew.
        control: what a configuration comes to when features tell nothing and the graph does all the work;
            None where that is no question.
        also: details that tables keep beside the value, in the same units, and what they are called.
    """

    name: str
    cell: type[Any]
    configure: Callable[[Any, Hyperparameters], Configuration]
    measure: Callable[[Graph, Configuration, int, str, Progress], Outcome]
    shared: Callable[[Configuration], Configuration]
    promise: Callable[[Graph, Configuration, int], Guarantee]
    cost: Callable[[Graph, Configuration], float]
    revision: int
    quantity: str
    scale: float = 1.0
    higher_is_better: bool = True
    uses_device: bool = True
    shares_reports: bool = True
    control: Callable[[Configuration], Configuration] | None = None
    also: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @property
    def fields(self) -> list[str]:
        """The names that a cell may use."""
        return [field.name for field in dataclasses.fields(self.cell)]

    @property
    def is_error(self) -> bool:
        """Whether it is an error, of which charts show the order of magnitude, and no share."""
        return not self.higher_is_better and self.scale == 1

    def has_control(self, cell: Any) -> bool:
        """Whether a cell has to do with features that noise hides, so that one asks what these are worth."""
        return self.control is not None and cell.hides_features

    def read_cell(self, values: Mapping[str, Any], where: str) -> Any:
        """The cell that these values describe; ``where`` is for the error."""
        old_names.warn_about(values, where)
        values = old_names.todays(values)
        for name in values:
            if name not in self.fields:
                raise ValueError(
                    f"{where}: {name!r} is no field of the study {self.name!r}"
                    f"{_check.nearest(name, self.fields)}; known are {', '.join(self.fields)}"
                )
        if not isinstance(values.get("dataset"), str):
            raise ValueError(f"{where}: each cell must name its dataset")
        try:
            return self.cell(**values)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{where}: {error}") from error
