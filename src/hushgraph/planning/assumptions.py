"""What a planner is told, and what it supposes where it is told nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from hushgraph import _check
from hushgraph.graph import Graph
from hushgraph.planning.campaigns import Taking
from hushgraph.planning.places import Numbers
from hushgraph.planning.statistics import Source, Statistics, Structure


class Range(NamedTuple):
    """A quantity that is not known: as low, as typical and as high as it may be."""

    low: float
    typical: float
    high: float

    @property
    def known(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    @classmethod
    def of(cls, value: float | Sequence[float], name: str) -> Range:
        """One number, or three that rise; all of them in [0, 1]."""
        numbers = [value] * 3 if isinstance(value, int | float | np.number) else list(value)
        if len(numbers) != 3 or list(numbers) != sorted(numbers):
            raise ValueError(f"{name} must be one number, or three: low, typical and high; got {value!r}")
        return cls(*(_check.fraction(one, name) for one in numbers))


# Of the graphs whose homophily is published, most lie here: papers that cite, pages, developers, co-authors.
HOMOPHILY = Range(0.6, 0.75, 0.9)
# The least budget of a person: of reports of a label at a smaller one nothing is left in single precision.
LEAST = 1e-3
# All words of a dictionary, a mixture, a few questions that were well chosen.
INFORMATIVENESS = Range(0.0003, 0.003, 0.03)


@dataclass(frozen=True, slots=True, eq=False)
class Assumptions:
    """All that a plan rests on, checked; see :func:`hushgraph.plan`."""

    source: Source
    epsilons: tuple[float, ...]
    shares: Numbers
    features: int
    homophily: Range
    informativeness: Range
    taking: Taking
    lists: bool

    @classmethod
    def checked(
        cls,
        source: Source,
        *,
        epsilons: float | Iterable[float],
        classes: int | None,
        num_features: int | None,
        homophily: float | Sequence[float],
        class_shares: ArrayLike | None,
        answering: float,
        label_rate: float,
        informativeness: float | Sequence[float],
        lists: bool,
    ) -> Assumptions:
        """Checks all of it; of a graph, the public number of classes and features is taken."""
        if not isinstance(source, Graph | Structure | Statistics):
            raise TypeError(f"plan needs a Graph, a Structure or Statistics, got {type(source).__name__}")
        if isinstance(source, Graph):
            if classes is None and source.classes_from_data:
                raise ValueError(
                    "classes is needed: those of this graph were read off its labels, which nothing here may"
                    " depend on"
                )
            classes = source.num_classes if classes is None else classes
            num_features = source.num_features if num_features is None else num_features
        given = list(epsilons) if isinstance(epsilons, Iterable) else [epsilons]
        totals = tuple(sorted({_check.epsilon(one, "epsilons") for one in given}))
        if not totals or math.isinf(totals[-1]):
            raise ValueError(
                "epsilons must be at least one finite budget: what no noise brings is told anyway"
            )
        if totals[0] < LEAST:
            raise ValueError(f"epsilons must be at least {LEAST:g}: below it a report tells nothing")
        taking = Taking(_above_none(answering, "answering"), _above_none(label_rate, "label_rate"))
        return cls(
            source=source,
            epsilons=totals,
            shares=_shares(class_shares, classes),
            features=_check.count(num_features or 0, "num_features"),
            homophily=Range.of(homophily, "homophily"),
            informativeness=Range.of(informativeness, "informativeness"),
            taking=taking,
            lists=lists,
        )

    @property
    def people(self) -> int:
        """How many there really are."""
        return self.source.num_nodes if isinstance(self.source, Graph) else self.source.people

    @property
    def reports(self) -> int:
        """How many labels are reported."""
        return round(self.people * self.taking.answering * self.taking.label_rate)

    @property
    def chance(self) -> float:
        """How often two strangers are of one class."""
        return float(self.shares @ self.shares)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        kinds = {Graph: "graph", Structure: "graph", Statistics: "statistics"}
        return {
            "source": kinds[type(self.source)],
            "people": self.people,
            "class_shares": self.shares.tolist(),
            "num_features": self.features,
            "homophily": self.homophily._asdict(),
            "informativeness": self.informativeness._asdict(),
            "answering": self.taking.answering,
            "label_rate": self.taking.label_rate,
            "lists": self.lists,
        }


def _above_none(value: float, name: str) -> float:
    share = _check.fraction(value, name)
    if share == 0:
        raise ValueError(f"{name} must be above 0: somebody has to tell, got {value!r}")
    return share


def _shares(given: ArrayLike | None, classes: int | None) -> Numbers:
    if given is None:
        if classes is None:
            raise ValueError("classes is needed: how many classes there are, 2 or more")
        return np.full(_check.count(classes, "classes", minimum=2), 1 / classes)
    shares = np.asarray(given, np.float64)
    if shares.ndim != 1 or shares.size < 2 or not (np.isfinite(shares) & (shares > 0)).all():
        raise ValueError("class_shares must be at least two finite numbers above 0")
    if classes is not None and classes != shares.size:
        raise ValueError(f"class_shares must be {classes}, one for each class; got {shares.size}")
    if abs(shares.sum() - 1) > 0.02:
        raise ValueError(f"class_shares must sum to 1, got {shares.sum():g}")
    return np.asarray(shares / shares.sum())
