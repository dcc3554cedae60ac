"""What a campaign promises: the guarantee of everything that a person sends, computed from what is asked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from hushgraph import _check
from hushgraph.mechanisms.described import is_known
from hushgraph.privacy import Guarantee
from hushgraph.privacy.guarantee import _compose, _weakest
from hushgraph.privacy.relations import PROTECTS

if TYPE_CHECKING:
    from hushgraph.collection.campaign import Campaign, Question

PUBLIC = "friendships, and who answered which question, are no secret: nothing here protects them"
PUBLIC_PEOPLE = "who takes part, and who answered which question, are no secret: nothing here protects them"
WITH_LISTS = "any two values of one person's {}, and neighbour lists that differ in one entry"
RANGES_FROM_DATA = "the range of each feature was taken from the private data"
ITS_AUTHORS = "the mechanism is its author's own; hushgraph has not checked it"
CLASSES_FROM_DATA = "the list of classes was taken from the private data"
COUNTED = {
    "features": "a value outside its range as the nearest end, what is no number as the middle",
    "label": "an unknown class as any",
    "lists": "unknown friends as none",
}
OR_A_FRIENDSHIP = "{}; or one friendship, which {}"


def of_campaign(campaign: Campaign) -> Guarantee:
    """What everybody is promised, whichever level they take."""
    return _whole(campaign, {question: _worst(campaign, question) for question in campaign.asked})


def of_levels(campaign: Campaign, levels: Mapping[Question, int]) -> Guarantee:
    """What somebody is promised who answers these questions at these levels."""
    taken = {question: levels[question] for question in campaign.asked if question in levels}
    if len(taken) < len(levels):
        raise ValueError(f"levels must be of {', '.join(campaign.asked)}; got {', '.join(levels)}")
    return _whole(campaign, {question: _part(campaign, question, level) for question, level in taken.items()})


def of_several(promises: Iterable[Guarantee]) -> Guarantee:
    """What is promised to somebody who answered several collections: everything adds up.

    Of each it says the sum alone: what that is made of, each says of itself.
    """
    parts = tuple(promise._changed(parts=()) for promise in promises)
    relations = dict.fromkeys(part.relation for part in parts)
    relation = next(iter(relations)) if len(relations) == 1 else "what each of these says, all at once"
    whole = _compose("everything a person sent to several collections", parts, relation=relation)
    friendship, entry = (
        [value for part in parts if (value := getattr(part, name)) is not None]
        for name in ("friendship", "entry")
    )
    return whole._changed(
        friendship=math.fsum(friendship) if friendship else None, entry=math.fsum(entry) if entry else None
    )


def adding_up(promises: Sequence[Guarantee], what: str = "collection") -> str:
    """How often the same people answer, and what that comes to, in one sentence.

    >>> from hushgraph import RandomizedResponse
    >>> adding_up([RandomizedResponse(1.0).guarantee, RandomizedResponse(0.5).guarantee])
    '2 collections of the same people; added up, for each person: ε = 1.5, proven'
    >>> adding_up([RandomizedResponse(1.0).guarantee])
    '1 collection; for each person: ε = 1, proven'
    """
    whole = of_several(promises)
    whom = "friendship" if promises[0].protects == PROTECTS["edge"] else "person"
    strength = "refuted, and no ε is known" if whole.status == "refuted" else whole.strength
    if len(promises) == 1:
        return f"1 {what}; for each {whom}: {strength}"
    return f"{len(promises):,} {what}s of the same people; added up, for each {whom}: {strength}"


def _whole(campaign: Campaign, parts: Mapping[Question, Guarantee]) -> Guarantee:
    conditions = [PUBLIC_PEOPLE if campaign.lists else PUBLIC]
    if choices := _choices(campaign):
        conditions.append(f"which level somebody took ({choices}) is no secret: nothing here protects it")
    if parts:
        conditions.append(f"devices count {', '.join(COUNTED[question] for question in parts)}")
    relation = "any two values of all of these of one person"
    if "lists" in parts:
        named = " and ".join(part.protects for question, part in parts.items() if question != "lists")
        relation = WITH_LISTS.format(named) if named else parts["lists"].relation
    whole = _compose("everything a person sent", parts.values(), conditions, relation)
    if campaign.classes_from_data and "label" not in parts:
        # The list is public, and may have been read off the label of somebody who sent none.
        whole = whole.claimed(CLASSES_FROM_DATA)
    return (
        _with_friendships(whole, _worst(campaign, "lists"), parts.get("lists")) if campaign.lists else whole
    )


def _with_friendships(whole: Guarantee, others: Guarantee, own: Guarantee | None) -> Guarantee:
    """The same for one friendship too, which the other end reports as well, maybe at the highest level."""
    friendship = _compose("one friendship", [others] if own is None else [others, own])
    where = "stands in the other end's list" if own is None else "stands in two lists"
    return whole._changed(
        epsilon=max(whole.epsilon, friendship.epsilon),
        delta=max(whole.delta, friendship.delta),
        status=_weakest([whole.status, friendship.status]),
        gaps=whole.gaps + (others.gaps if own is None else ()),
        relation=OR_A_FRIENDSHIP.format(whole.relation, where),
        friendship=friendship.epsilon,
        entry=None if own is None else own.epsilon,
    )


def _part(campaign: Campaign, question: Question, level: int) -> Guarantee:
    mechanisms = campaign.levels(question)
    if not 0 <= _check.count(level, f"the level of {question}") < len(mechanisms):
        raise ValueError(f"the level of {question} must lie in 0 … {len(mechanisms) - 1}, got {level}")
    mechanism = mechanisms[level]
    promised: Guarantee = mechanism.guarantee
    if not is_known(mechanism):
        # Whatever it says of itself, or inherits.
        promised = promised.claimed(ITS_AUTHORS)
    if question == "features":
        if campaign.ranges is not None:
            # Each column has its own range, which the mechanism does not know.
            own = f"the range [{mechanism.low:g}, {mechanism.high:g}] is public"
            each = "the range of each feature is public"
            conditions = tuple(each if said == own else said for said in promised.conditions)
            promised = promised._changed(conditions=conditions)
        if campaign.ranges_from_data:
            promised = promised.claimed(RANGES_FROM_DATA)
    if question == "label" and campaign.classes_from_data:
        promised = promised.claimed(CLASSES_FROM_DATA)
    return promised


def _worst(campaign: Campaign, question: Question) -> Guarantee:
    """What holds for all levels: the largest ε, the largest δ, the weakest status."""
    levels = [_part(campaign, question, level) for level in range(len(campaign.levels(question)))]
    return max(levels, key=lambda level: level.epsilon)._changed(
        delta=max(level.delta for level in levels),
        status=_weakest([level.status for level in levels]),
        gaps=tuple(dict.fromkeys(gap for level in levels for gap in level.gaps)),
    )


def _choices(campaign: Campaign) -> str:
    return "; ".join(
        f"{question}: ε = {', '.join(f'{mechanism.epsilon:g}' for mechanism in campaign.levels(question))}"
        for question in campaign.asked
        if len(campaign.levels(question)) > 1
    )
