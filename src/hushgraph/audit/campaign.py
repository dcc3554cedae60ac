"""Audits of devices, of the whole way to the server, and of a campaign with all that it asks.

Many people hold one value, or another; their devices answer, the bytes are exported as a collector exports
them, and read as a server reads them. Whatever differs between the two values must be explained by what was
promised.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from hushgraph import _check
from hushgraph.audit.arriving import Collector, arrived, exported, listed, views
from hushgraph.audit.devices import Compared, Device, Held, Levels, reporting
from hushgraph.audit.found import Audit, shared_confidence
from hushgraph.audit.scores import bound_of_rows
from hushgraph.collection.campaign import Campaign, Question
from hushgraph.collection.wire import Wire

# How often a device is asked that should remember.
ASKED = 8
ARGUMENTS: dict[Question, str] = {"features": "features", "label": "label", "lists": "friends"}


def audit_device(
    campaign: Campaign,
    one: Held,
    other: Held,
    *,
    device: Device | None = None,
    collector: Collector = exported,
    levels: Levels | None = None,
    times: int = 1,
    epsilon: float | None = None,
    trials: int = 2_000,
    confidence: float = 0.95,
    subject: str = "",
) -> Audit:
    """A lower bound on ε of what a server has of a person who holds one value or another.

    Args:
        campaign: what is asked.
        one, other: what people hold in either world, as :func:`hushgraph.answer` takes it.
        device: by default a :class:`~hushgraph.Reporter` for each person.
        collector: from what was sent to what a server reads; by default an export in memory.
        levels: of each question that is answered; 0 by default.
        times: how often each device is asked. One that remembers tells no more the second time.
        epsilon: what is promised; by default by the campaign, for the questions whose values differ.
        trials: how many devices there are in either world.
        confidence: of the bound.
        subject: what to call it.

    >>> from hushgraph import RandomizedResponse
    >>> asked = Campaign(classes=2, labels=RandomizedResponse(2.0))
    >>> audit_device(asked, {"label": 0}, {"label": 1}, epsilon=0.5, trials=1000).passed
    False
    """
    _check.count(trials, "trials", minimum=100)
    _check.count(times, "times", minimum=1)
    _check.confidence(confidence)
    if set(one) != set(other):
        raise ValueError("one and other must hold values for the same questions")
    own: dict[Question, int] = dict(levels or {})
    taken = {asked: own.get(asked, 0) for asked in campaign.asked if ARGUMENTS[asked] in one}
    moved = [asked for asked in taken if not np.array_equal(one[ARGUMENTS[asked]], other[ARGUMENTS[asked]])]
    promises = [campaign.levels(asked)[taken[asked]].guarantee for asked in moved]
    promised = math.fsum(one.epsilon for one in promises) if epsilon is None else _check.epsilon(epsilon)
    delta = math.fsum(one.delta for one in promises)
    named = sorted({friend for held in (one, other) for friend in held.get("friends", ())})
    worlds = [
        arrived(campaign, held, taken, device or reporting(), collector, trials, times)
        for held in (one, other)
    ]
    found = bound_of_rows(*views(campaign, worlds[0], worlds[1], named), delta=delta, confidence=confidence)
    often = f", each asked {times} times" if times > 1 else ""
    tried = f"{trials:,} devices with either value{often}, {found.events} events counted on half of them"
    name = subject or " and ".join(moved)
    return Audit(found.epsilon, promised, delta, trials, confidence, name, tried, found.reach)


def audit_friendship(
    campaign: Campaign,
    *,
    device: Device | None = None,
    level: int = 0,
    epsilon: float | None = None,
    trials: int = 2_000,
    confidence: float = 0.95,
) -> Audit:
    """A lower bound on the ε of the friendship of persons 0 and 1, which both ends report."""
    _check.confidence(confidence)
    wire, levels = Wire(campaign), _levels("lists", level)
    worlds = []
    for friends in (True, False):
        ends = []
        for person in (0, 1):
            held = {"friends": [1 - person] if friends else []}
            sent = (device or reporting())(campaign, [person] * trials, held, levels, 1)
            ends.append([listed(wire.decode(body), [1 - person]) for (body,) in sent])
        worlds.append([np.hstack(ends)])
    stated = campaign.guarantee_of(levels).friendship
    promised = float(stated or 0.0) if epsilon is None else _check.epsilon(epsilon)
    found = bound_of_rows(*worlds, delta=0.0, confidence=confidence)
    tried = f"{trials:,} pairs of lists with and without it, {found.events} events counted on half of them"
    subject = "one friendship, in both lists"
    return Audit(found.epsilon, promised, 0.0, trials, confidence, subject, tried, found.reach)


def audit_campaign(
    campaign: Campaign,
    *,
    device: Device | None = None,
    times: int = ASKED,
    trials: int = 2_000,
    confidence: float = 0.95,
    progress: Callable[[float], None] = lambda _: None,
) -> list[Audit]:
    """Audits every question at every level, everything at once, what devices remember, and a friendship.

    All audits together have the confidence: each has its share of the error. Questions that are not
    randomised are left out. That devices remember is seen by asking each so many ``times``: the first answer
    must come again, whatever the budget. 1 is for one that is not meant to, such as
    :func:`~hushgraph.audit.answering`.
    """
    _check.count(times, "times", minimum=1)
    _check.confidence(confidence)
    randomised = [
        (question, level)
        for question in campaign.asked
        for level, mechanism in enumerate(campaign.levels(question))
        if math.isfinite(mechanism.epsilon)
    ]
    highest: dict[Question, int] = dict(randomised)
    same: dict[str, Any] = {"device": device, "trials": trials}
    planned: list[Callable[..., Audit]] = []
    for question, level in randomised:
        pair, name = extremes(campaign, [question]), f"{question}, level {level}"
        whole = len(campaign.levels(question)) == 1
        planned.append(
            partial(
                audit_device, campaign, *pair, levels=_levels(question, level),
                subject=question if whole else name, **same,
            )
        )  # fmt: skip
    everything = partial(
        audit_device, campaign, *extremes(campaign, list(highest)), levels=highest,
        epsilon=campaign.guarantee_of(highest).epsilon if highest else None, **same,
    )  # fmt: skip
    if len(highest) > 1:
        planned.append(partial(everything, subject="everything at once"))
    compared = Compared(device or reporting())
    if highest and times > 1:
        words: dict[str, Any] = {"device": compared, "times": times}
        planned.append(partial(everything, **words, subject=f"everything, asked {times} times"))
    if "lists" in highest:
        planned.append(partial(audit_friendship, campaign, level=highest["lists"], **same))
    found = []
    for audit in planned:
        found.append(audit(confidence=shared_confidence(confidence, len(planned))))
        progress(len(found) / len(planned))
    return [*found, compared.memory(found[0])] if compared.asked else found


def extremes(campaign: Campaign, questions: Sequence[Question]) -> tuple[Held, Held]:
    """What two people hold who should be hard to tell apart, as far from each other as a promise reaches.

    Features are all at one end or at the other, labels the first and the last class; of lists, which are
    promised entry by entry, one has a friend and the other has none.
    """
    one: dict[str, Any] = {}
    other: dict[str, Any] = {}
    if "features" in questions:
        own = campaign.features[0]
        ranges = campaign.ranges or ((own.low, own.high),) * campaign.num_features
        one["features"], other["features"] = np.array(ranges, np.float64).T
    if "label" in questions:
        one["label"], other["label"] = 0, campaign.num_classes - 1
    if "lists" in questions:
        one["friends"], other["friends"] = [], [1]
    return one, other


def _levels(question: Question, level: int) -> Levels:
    return {question: level}
