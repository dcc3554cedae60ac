"""What the methods of a report promise to the people in it."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hushgraph.experiments.formatting import name_of
from hushgraph.experiments.tables import Table
from hushgraph.privacy import Guarantee

NUMBER = re.compile(r"ε = \S+")


@dataclass(frozen=True, slots=True)
class Promise:
    """Guarantees that differ in ε and δ alone: whose they are, and the one with the largest finite ε."""

    datasets: tuple[str, ...]
    example: Guarantee

    @property
    def statements(self) -> tuple[Guarantee, ...]:
        """The whole, if it has several parts, and each part."""
        parts = self.example.parts
        return parts if len(parts) == 1 else (self.example, *parts)


@dataclass(frozen=True, slots=True)
class Method:
    """A way to treat features in one kind of study, with all that it promises."""

    name: str
    quantity: str
    promises: tuple[Promise, ...]


def promises_of(tables: Iterable[Table]) -> list[Method]:
    """One promise for each method, status and kind of dataset, from the guarantees that the runs stated."""
    found: dict[tuple[str, str], dict[Guarantee, list[tuple[str, Guarantee]]]] = {}
    for table in tables:
        for row in table.rows:
            way = str(getattr(row.cell, "features", None) or getattr(row.cell, "method", ""))
            method = (way, table.experiment.study.quantity)
            for guarantee in dict.fromkeys(result.outcome.guarantee for result in row.results):
                kinds = found.setdefault(method, defaultdict(list))
                kinds[_without_numbers(guarantee)].append((name_of(row.cell.dataset), guarantee))
    return [
        Method(name_of(features), quantity, tuple(map(_promise, kinds.values())))
        for (features, quantity), kinds in found.items()
    ]


def _promise(stated: Sequence[tuple[str, Guarantee]]) -> Promise:
    datasets = tuple(dict.fromkeys(dataset for dataset, _ in stated))
    return Promise(datasets, max((guarantee for _, guarantee in stated), key=_finite_epsilon))


def _without_numbers(guarantee: Guarantee) -> Guarantee:
    """What tells kinds of promises apart; where nothing is promised, gaps do not matter."""
    return guarantee._changed(
        epsilon=0.0,
        delta=0.0,
        reason=NUMBER.sub("ε", guarantee.reason),
        conditions=tuple(NUMBER.sub("ε", condition) for condition in guarantee.conditions),
        gaps=() if guarantee.status == "none" else guarantee.gaps,
        parts=tuple(map(_without_numbers, guarantee.parts)),
    )


def _finite_epsilon(guarantee: Guarantee) -> float:
    """The ε of all parts that have a finite one."""
    if guarantee.parts:
        return math.fsum(map(_finite_epsilon, guarantee.parts))
    return guarantee.epsilon if math.isfinite(guarantee.epsilon) else 0.0
