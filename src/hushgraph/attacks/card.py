"""The report card: each attack against a method, beside networks that protect nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.attacks.decisions import Decisions
from hushgraph.attacks.intervals import Interval
from hushgraph.attacks.limits import UNPROMISED, Limit
from hushgraph.attacks.nothing_to_ask import NothingToAskError
from hushgraph.attacks.questions import Attribute
from hushgraph.attacks.stage import Roles, Stage
from hushgraph.attacks.suite import WITH_TRAINING, WITHOUT_TRAINING, Finding, Settings, attempted
from hushgraph.attacks.victims import Victim, in_range
from hushgraph.curator import CuratorMethod
from hushgraph.graph import Graph
from hushgraph.privacy import Guarantee
from hushgraph.registry import UNPROTECTED

Progress = Callable[[str], None]
"""Is told what is done next."""
SHARES = (0.01, 0.001)
SAYS_NOTHING = "works neither here nor on the GCN that is not private, so that it says nothing here"


@dataclass(frozen=True, slots=True, eq=False)
class Attacked:
    """A target, and what each attack on it came to.

    Attributes:
        title: what the target is called.
        guarantee: what it promised.
        findings: of the attacks that could be asked.
        left_out: why others could not, by name.
        untrained: why there is no such network here, if there is none.
    """

    title: str
    guarantee: Guarantee
    findings: tuple[Finding, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    untrained: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "target": self.title,
            "guarantee": self.guarantee.to_dict(),
            "attacks": [_described(finding) for finding in self.findings],
            "left_out": dict(self.left_out),
            "untrained": self.untrained,
        }


def on_a_method(
    victim: Victim,
    graph: Graph,
    names: Iterable[str] | None,
    seed: int,
    settings: Settings,
    progress: Progress = lambda _: None,
) -> list[Attacked]:
    """A method, and networks that protect nobody; trained on the same people, decided by the same coins.

    Each of ``names`` must be possible on the method; by None all that are possible are asked for.
    """

    def trained(one: Victim, learned_from: Graph) -> Stage:
        progress(f"training {one.title}")
        roles = Roles.drawn(learned_from, np.random.default_rng([seed, 3]), settings.pairs)
        return Stage.set(one, roles, np.random.default_rng([seed, 4]))

    return _card(
        graph, np.ones(graph.num_nodes, bool),
        lambda: trained(victim, graph),
        lambda reference: trained(reference, in_range(graph)),
        WITH_TRAINING, names, seed, settings, progress,
    )  # fmt: skip


def on_a_model(
    title: str,
    model: Any,
    graph: Graph,
    members: NDArray[np.bool_],
    names: Iterable[str] | None,
    seed: int,
    settings: Settings,
    progress: Progress = lambda _: None,
) -> list[Attacked]:
    """A saved model or any other target, and networks that protect nobody, trained on the same people.

    Each of ``names`` must be possible on the model; by None all that are possible are asked for.
    """

    def trained(reference: Victim) -> Stage:
        progress(f"training {reference.title}")
        trains = np.flatnonzero(members & (graph.labels >= 0))
        learned = reference.learn_from(in_range(graph), trains, np.random.default_rng([seed, 4]))
        # All targets are asked about the same people: those who may be members of the model.
        anybody = isinstance(model, CuratorMethod)
        return Stage(reference.title, learned.box, graph, members, learned.guarantee, anybody=anybody)

    return _card(
        graph, members,
        lambda: Stage.of_model(title, model, graph, members),
        trained,
        WITHOUT_TRAINING, names, seed, settings, progress,
    )  # fmt: skip


def _card(
    graph: Graph, trains: NDArray[np.bool_], own: Callable[[], Stage], beside: Callable[[Victim], Stage],
    possible: tuple[str, ...], names: Iterable[str] | None, seed: int, settings: Settings,
    progress: Progress,
) -> list[Attacked]:  # fmt: skip
    """The target itself, and beside it the networks that can be trained here."""
    # A name that there is none of is refused before anything is trained, of an attack and of an attribute.
    Attribute.of(graph, settings.attribute)
    asked = possible if names is None else tuple(_check.choice(name, "names", possible) for name in names)
    target = _attacked(own(), asked, seed, settings, progress, each=names is not None)
    if target.left_out and not target.findings:
        raise _impossible(target.title, target.left_out)
    card = [target]
    for reference in map(Victim.named, UNPROTECTED):
        if (why := _untrainable(reference, graph, trains)) is None:
            card.append(_attacked(beside(reference), asked, seed, settings, progress))
        else:
            card.append(Attacked(reference.title, UNPROMISED, (), untrained=why))
    # The first of them knows its labels by heart.
    return [_marked(target, beside=card[1]), *card[1:]]


def _marked(target: Attacked, beside: Attacked) -> Attacked:
    """The target, with a note at attacks that are none: they fail where nothing is protected, too."""
    failed = {one.title for one in beside.findings if not one.works}
    notes = (None if one.works or one.title not in failed else SAYS_NOTHING for one in target.findings)
    found = (replace(one, note=note) for one, note in zip(target.findings, notes, strict=True))
    return replace(target, findings=tuple(found))


def _attacked(
    stage: Stage, names: Sequence[str], seed: int, settings: Settings, progress: Progress, each: bool = False
) -> Attacked:
    """What the attacks come to; if ``each`` must be possible, it ends at the first that is not."""
    found: list[Finding] = []
    left_out: dict[str, str] = {}
    for name in names:
        progress(f"{stage.title}: {name}")
        try:
            found += attempted(stage, name, seed, settings)
        except NothingToAskError as error:
            left_out[name] = str(error)
            if each:
                raise _impossible(stage.title, left_out) from error
    return Attacked(stage.title, stage.guarantee, tuple(found), left_out)


def _impossible(title: str, left_out: Mapping[str, str]) -> NothingToAskError:
    reasons = "; ".join(f"{name}: {why}" for name, why in left_out.items())
    return NothingToAskError(f"{title} cannot be attacked so: {reasons}")


def _untrainable(reference: Victim, graph: Graph, trains: NDArray[np.bool_]) -> str | None:
    if getattr(reference.model, "needs_features", False) and graph.num_features == 0:
        return "it learns from features, and nobody here has any"
    if not (graph.labels[trains] >= 0).any():
        return "it learns from labels of those who train, and nobody here has any"
    return None


def _described(finding: Finding) -> dict[str, Any]:
    measured, limit = finding.measured, finding.limit
    told: dict[str, Any] = {
        "attack": finding.title,
        "name": finding.name,
        "about": finding.family,
        "accuracy": _ends(measured.accuracy),
        "advantage": _ends(measured.advantage),
        "by_guessing": finding.by_guessing,
        "note": finding.note,
        "bounded": limit.applies,
        "bound": {"why": limit.why},
    }
    if isinstance(measured, Decisions):
        told |= {"auc": _ends(measured.auc)}
        told |= {f"tpr_at_fpr_{share:g}": _ends(measured.tpr_at(share)) for share in SHARES}
    if limit.applies:
        told["bound"] |= _largest(limit)
    return told


def _largest(limit: Limit) -> dict[str, Any]:
    largest = {"accuracy": limit.accuracy, "advantage": limit.advantage, "auc": limit.auc}
    at = {f"tpr_at_fpr_{share:g}": limit.tpr_at(share) for share in SHARES}
    return {"epsilon": limit.epsilon, "delta": limit.delta, **largest, **at}


def _ends(interval: Interval) -> dict[str, float]:
    return {"value": interval.value, "low": interval.low, "high": interval.high}
