"""Audits of a method with a trusted curator, part by part and as a whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from hushgraph.audit.canary import audit
from hushgraph.audit.found import Audit, shared_confidence
from hushgraph.audit.worlds import PEOPLE, neighbors
from hushgraph.audit.worst_run import audit_run, plantable
from hushgraph.curator.method import CuratorMethod

# Of the budget, what each part has that is not looked at.
REST = 0.01
# Of the trials of a canary, the share that is fitted in both worlds with one seed, to see how they differ.
PROBES = 0.2


def audit_method(
    model: CuratorMethod,
    *,
    trials: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Callable[[float], None] = lambda _: None,
) -> list[Audit]:
    """Audits each part of a method's budget with nearly all of the budget, and all Gaussian parts together.

    Where there is Gaussian noise, the worst is planted (:mod:`hushgraph.audit.worst_run`). What mechanisms
    with an ε of their own draw is seen through canaries in small graphs: less is found by these.
    """
    planted, drawn = plantable(model)
    audits = len(planted) + len(drawn) + (len(planted) > 1)
    each: dict[str, Any] = {"trials": trials, "confidence": shared_confidence(confidence, audits)}
    found: list[Audit] = []

    def advance(share: float) -> None:
        progress((len(found) + share) / audits)

    for part in planted:
        words: dict[str, Any] = {"parts": {part}, "subject": f"{part}, the worst planted"}
        found.append(audit_run(_weighted(model, part), seed=seed, progress=advance, **words, **each))
    if len(planted) > 1:
        found.append(audit_run(model, seed=seed, progress=advance, subject="all of these at once", **each))
    cap = getattr(model, "max_degree", None)
    friends = PEOPLE // 2 if cap is None else min(PEOPLE // 2, cap)
    for part in drawn:
        worlds = neighbors(model.relation, friends, tested=True)
        found.append(
            audit(
                partial(_canary, model, part, seed),
                *worlds,
                probes=round(PROBES * trials),
                parts={part},
                subject=f"{part}, a canary",
                progress=advance,
                **each,
            )
        )
    return found


def _canary(model: CuratorMethod, part: str, seed: int, own: int) -> CuratorMethod:
    weighted = _weighted(model, part, seed + own)
    # A batch is no larger than the few who train there.
    batch_size = getattr(weighted, "batch_size", None)
    if batch_size is None:
        return weighted
    return type(model)(**{**weighted.get_params(), "batch_size": min(batch_size, PEOPLE // 2)})


def _weighted(model: CuratorMethod, part: str, seed: int | None = None) -> CuratorMethod:
    """The same method with nearly all of its budget for one part."""
    others = [name for name in model.budget_ if name != part]
    budget = dict.fromkeys(others, REST * model.epsilon)
    budget[part] = model.epsilon * (1 - REST * len(others))
    return type(model)(**{**model.get_params(), "budget": budget, "random_state": seed})
