"""What a plan says: forecasts, a recommendation, and why."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

from hushgraph.planning.forecast import Forecast
from hushgraph.planning.splits import BudgetSplit, best


@dataclass(frozen=True, slots=True)
class Theory:
    """What is exact at a total budget that is spent on the label alone.

    Attributes:
        epsilon: the budget.
        bits: about a person's class in one report.
        worth: how many labels without noise say as much as all reports.
        around_one: the error of the share of a class among somebody and their friends.
    """

    epsilon: float
    bits: float
    worth: float
    around_one: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Forecasts for splits of budgets; see :func:`hushgraph.plan`.

    Attributes:
        splits: what was looked at, budget by budget.
        ceiling: the forecast for labels without noise and no features; without features no budget buys more.
        reached: the homophily that drawn labels have come to, on average.
        theory: what is exact, for each total budget.
        assumed: what was given.
        simulated: on what, in words.
        advice: sentences.
    """

    splits: tuple[BudgetSplit, ...]
    ceiling: Forecast
    reached: float
    theory: tuple[Theory, ...]
    assumed: dict[str, Any]
    simulated: str
    advice: tuple[str, ...]

    @property
    def epsilons(self) -> tuple[float, ...]:
        """The total budgets."""
        return tuple(dict.fromkeys(one.epsilon for one in self.splits))

    def recommended(self, epsilon: float) -> BudgetSplit:
        """The split to take at a total budget."""
        there = [one for one in self.splits if one.epsilon == epsilon]
        if not there:
            known = ", ".join(f"{one:g}" for one in self.epsilons)
            raise ValueError(f"epsilon must be one of the planned budgets, {known}; got {epsilon!r}")
        return best(there)

    def to_dict(self) -> dict[str, Any]:
        """Plain values; an infinite budget is ``"inf"``."""
        recommended = [self.recommended(epsilon) for epsilon in self.epsilons]
        plain: dict[str, Any] = _plain({
            "assumed": self.assumed,
            "simulated": self.simulated,
            "homophily_reached": self.reached,
            "without_noise": self.ceiling._asdict(),
            "recommended": [asdict(one) for one in recommended],
            "splits": [asdict(one) for one in self.splits],
            "theory": [asdict(one) for one in self.theory],
            "advice": self.advice,
        })  # fmt: skip
        return plain

    def to_json(self) -> str:
        """One JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def __str__(self) -> str:
        lines = []
        for epsilon in self.epsilons:
            one = self.recommended(epsilon)
            lines.append(f"ε = {epsilon:g}: {percent(one)}, with {one.description}")
        return "\n".join([*lines, *self.advice])


def percent(forecast: Forecast | BudgetSplit) -> str:
    """A forecast as tables and sentences have it.

    >>> percent(Forecast(0.712, 0.634, 0.79))
    '71 % (63 to 79)'
    """
    return f"{100 * forecast.accuracy:.0f} % ({100 * forecast.low:.0f} to {100 * forecast.high:.0f})"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return "inf" if isinstance(value, float) and math.isinf(value) else value
