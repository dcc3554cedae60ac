"""The report card: each attack against a method, beside networks that protect nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.attacks.decisions import Decisions
from hushgraph.attacks.intervals import Interval
from hushgraph.attacks.limits import Limit
from hushgraph.attacks.stage import Roles, Stage
from hushgraph.attacks.suite import Finding, Measured, Settings, findings
from hushgraph.attacks.victims import Victim, in_range
from hushgraph.graph import Graph
from hushgraph.privacy import Guarantee
from hushgraph.registry import UNPROTECTED

Progress = Callable[[str], None]
"""Is told what is done next."""
SHARES = (0.01, 0.001)


@dataclass(frozen=True, slots=True, eq=False)
class Attacked:
    """A target, and what each attack on it came to."""

    title: str
    guarantee: Guarantee
    findings: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "target": self.title,
            "guarantee": self.guarantee.to_dict(),
            "attacks": [_described(finding) for finding in self.findings],
        }


def on_a_method(
    victim: Victim,
    graph: Graph,
    names: Iterable[str],
    seed: int,
    settings: Settings,
    progress: Progress = lambda _: None,
) -> list[Attacked]:
    """A method, and networks that protect nobody; trained on the same people, decided by the same coins."""
    victims = [(victim, graph), *((Victim.named(name), in_range(graph)) for name in UNPROTECTED)]

    def stages() -> Iterable[Stage]:
        for one, learned_from in victims:
            progress(f"training {one.title}")
            roles = Roles.drawn(learned_from, np.random.default_rng([seed, 3]), settings.pairs)
            yield Stage.set(one, roles, np.random.default_rng([seed, 4]))

    return _attacked(stages(), tuple(names), seed, settings, progress)


def on_a_model(
    title: str,
    model: Any,
    graph: Graph,
    members: NDArray[np.bool_],
    names: Iterable[str],
    seed: int,
    settings: Settings,
    progress: Progress = lambda _: None,
) -> list[Attacked]:
    """A saved model, and networks that protect nobody, trained on the same people."""

    def stages() -> Iterable[Stage]:
        yield Stage.of_model(title, model, graph, members)
        for victim in map(Victim.named, UNPROTECTED):
            progress(f"training {victim.title}")
            trains = np.flatnonzero(members & (graph.labels >= 0))
            learned = victim.learn_from(in_range(graph), trains, np.random.default_rng([seed, 4]))
            yield Stage(victim.title, learned.box, graph, members, learned.guarantee)

    return _attacked(stages(), tuple(names), seed, settings, progress)


def _attacked(
    stages: Iterable[Stage], names: Sequence[str], seed: int, settings: Settings, progress: Progress
) -> list[Attacked]:
    card = []
    for stage in stages:
        found: list[Finding] = []
        for name in names:
            progress(f"{stage.title}: {name}")
            found += findings(stage, [name], seed, settings)
        card.append(Attacked(stage.title, stage.guarantee, tuple(found)))
    return card


def _described(finding: Finding) -> dict[str, Any]:
    measured, limit = finding.measured, finding.limit
    told: dict[str, Any] = {
        "attack": finding.title,
        "name": finding.name,
        "about": finding.family,
        "accuracy": _ends(measured.accuracy),
        "advantage": _ends(measured.advantage),
        "by_guessing": finding.by_guessing,
        "bounded": limit.applies,
        "bound": {"why": limit.why},
    }
    if isinstance(measured, Decisions):
        told |= {"auc": _ends(measured.auc)}
        told |= {f"tpr_at_fpr_{share:g}": _ends(measured.tpr_at(share)) for share in SHARES}
    if limit.applies:
        told["bound"] |= _largest(limit, measured)
    return told


def _largest(limit: Limit, measured: Measured) -> dict[str, Any]:
    largest = {"accuracy": limit.accuracy, "advantage": limit.advantage, "auc": limit.auc}
    at = {f"tpr_at_fpr_{share:g}": largest_found(limit, measured, share) for share in SHARES}
    return {"epsilon": limit.epsilon, "delta": limit.delta, **largest, **at}


def largest_found(limit: Limit, measured: Measured, fpr: float) -> float | None:
    """The most members that may be found, at as many false alarms as there may be behind those counted."""
    if not isinstance(measured, Decisions):
        return None
    return limit.tpr_at(measured.alarms_at(fpr).high)


def _ends(interval: Interval) -> dict[str, float]:
    return {"value": interval.value, "low": interval.low, "high": interval.high}
