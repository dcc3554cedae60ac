"""Audits of a method with a trusted curator, part by part and as a whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from hushgraph.audit.canary import audit
from hushgraph.audit.drawn_noise import audit_noise
from hushgraph.audit.found import Audit, shared_confidence
from hushgraph.audit.given import audit_given
from hushgraph.audit.worlds import PEOPLE, neighbors
from hushgraph.audit.worst_run import audit_run, few_people, plantable
from hushgraph.curator.method import CuratorMethod

# Of the budget, what each part has that is not looked at.
REST = 0.01
# Of the trials of a canary, the share that is fitted in both worlds with one seed, to see how they differ.
PROBES = 0.2


@few_people()
def audit_method(
    model: CuratorMethod,
    *,
    trials: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Callable[[float], None] = lambda _: None,
) -> list[Audit]:
    """Audits each part of a method's budget with nearly all of the budget, and all Gaussian parts together.

    Where there is Gaussian noise, the worst is planted (:mod:`hushgraph.audit.worst_run`), the noise is
    measured (:mod:`hushgraph.audit.drawn_noise`), and so is what neighboring graphs change in all that the
    method gives to its run (:mod:`hushgraph.audit.given`). Then the method is fitted: a canary in small
    graphs is looked for in all that it releases. What mechanisms with an ε of their own draw is seen through
    canaries alone: less is found by these.
    """
    planted, drawn = plantable(model)
    # What is given to a run is compared exactly, and has no share of the error.
    audits = len(planted) + len(drawn) + (len(planted) > 1) + 2 * bool(planted)
    each: dict[str, Any] = {"trials": trials, "confidence": shared_confidence(confidence, audits)}
    found: list[Audit] = []

    def advance(share: float) -> None:
        progress((len(found) + share) / audits)

    for part in planted:
        words: dict[str, Any] = {"parts": {part}, "subject": f"{part}, the worst planted"}
        found.append(audit_run(_weighted(model, part), seed=seed, progress=advance, **words, **each))
    if len(planted) > 1:
        found.append(audit_run(model, seed=seed, progress=advance, subject="all of these at once", **each))
    if planted:
        found.append(audit_noise(model, seed=seed, confidence=each["confidence"]))
    cap = getattr(model, "max_degree", None)
    friends = PEOPLE // 2 if cap is None else min(PEOPLE // 2, cap)
    worlds = neighbors(model.relation, friends, tested=True)
    # What mechanisms draw is looked for part by part, and the rest in all that a fit releases.
    for watched in [*drawn, *([None] if planted else [])]:
        found.append(
            audit(
                partial(_canary, model, watched, seed),
                *worlds,
                probes=round(PROBES * trials),
                parts=None if watched is None else {watched},
                subject=f"{watched or 'all that fits release'}, a canary",
                progress=advance,
                **each,
            )
        )
    if planted:
        # Where everybody trains, more samples change.
        worlds = neighbors(model.relation, friends)
        found.append(audit_given(_canary(model, None, seed, 0), *worlds))
    progress(1.0)
    return found


def _canary(model: CuratorMethod, part: str | None, seed: int, own: int) -> CuratorMethod:
    """The method as it is fitted to few people, with nearly all of its budget for a part, or as it is."""
    words = (model if part is None else _weighted(model, part)).get_params()
    # A batch is no larger than the few who train there.
    if words.get("batch_size") is not None:
        words["batch_size"] = min(words["batch_size"], PEOPLE // 2)
    return type(model)(**{**words, "random_state": seed + own})


def _weighted(model: CuratorMethod, part: str, seed: int | None = None) -> CuratorMethod:
    """The same method with nearly all of its budget for one part."""
    others = [name for name in model.budget_ if name != part]
    budget = dict.fromkeys(others, REST * model.epsilon)
    budget[part] = model.epsilon * (1 - REST * len(others))
    return type(model)(**{**model.get_params(), "budget": budget, "random_state": seed})
