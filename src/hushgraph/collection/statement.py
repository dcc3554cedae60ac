"""What a campaign promises: the guarantee of everything that a person sends, computed from what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hushgraph import _check
from hushgraph.mechanisms.described import is_known
from hushgraph.privacy import Guarantee, compose

if TYPE_CHECKING:
    from hushgraph.collection.campaign import Campaign, Question

PUBLIC = "friendships, and who answered which question, are no secret: nothing here protects them"
PUBLIC_PEOPLE = "who takes part, and who answered which question, are no secret: nothing here protects them"
WITH_LISTS = "any two values of one person's {}, and neighbour lists that differ in one entry"
RANGES_FROM_DATA = "the range of each feature was taken from the private data"
ITS_AUTHORS = "the mechanism is its author's own; hushgraph has not checked it"
CLASSES_FROM_DATA = "the list of classes was taken from the private data"


def of_campaign(campaign: Campaign) -> Guarantee:
    """What everybody is promised: that of the highest level of every question."""
    questions: tuple[Question, ...] = ("features", "label", "lists")
    asked = {question: len(campaign.levels(question)) for question in questions}
    return of_levels(campaign, {question: levels - 1 for question, levels in asked.items() if levels})


def of_levels(campaign: Campaign, levels: Mapping[Question, int]) -> Guarantee:
    """What somebody is promised who answers these questions at these levels."""
    values = [_part(campaign, name, levels[name]) for name in ("features", "label") if name in levels]
    lists = [_part(campaign, "lists", levels["lists"])] if "lists" in levels else []
    conditions = [PUBLIC_PEOPLE if campaign.lists else PUBLIC]
    if choices := _choices(campaign):
        conditions.append(f"which level somebody took ({choices}) is no secret: nothing here protects it")
    adjacency = "any two values of all of these of one person"
    if lists:
        named = " and ".join(part.protects for part in values)
        adjacency = WITH_LISTS.format(named) if values else lists[0].adjacency
    whole = compose("everything a person sent", [*values, *lists], conditions, adjacency)
    if not lists:
        return whole
    # The other end may have taken the highest level.
    both = campaign.lists[levels["lists"]].epsilon + campaign.lists[-1].epsilon
    return whole._changed(friendship=both)


def _part(campaign: Campaign, question: Question, level: int) -> Guarantee:
    mechanisms = campaign.levels(question)
    if not 0 <= _check.count(level, f"the level of {question}") < len(mechanisms):
        raise ValueError(f"the level of {question} must lie in 0 … {len(mechanisms) - 1}, got {level}")
    promised: Guarantee = mechanisms[level].guarantee
    if not is_known(mechanisms[level]):
        # Whatever it says of itself, or inherits.
        promised = promised.claimed(ITS_AUTHORS)
    if question == "features":
        if campaign.ranges is not None and promised.status != "none":
            # Each column has its own range, which the mechanism does not know.
            own = f"the range [{mechanisms[level].low:g}, {mechanisms[level].high:g}] is public"
            each = "the range of each feature is public"
            promised = promised._changed(
                conditions=tuple(each if said == own else said for said in promised.conditions)
            )
        if campaign.ranges_from_data:
            promised = promised.claimed(RANGES_FROM_DATA)
    if question == "label" and campaign.classes_from_data:
        promised = promised.claimed(CLASSES_FROM_DATA)
    return promised


def _choices(campaign: Campaign) -> str:
    asked = {"features": campaign.features, "label": campaign.labels, "lists": campaign.lists}
    return "; ".join(
        f"{question}: ε = {', '.join(f'{mechanism.epsilon:g}' for mechanism in mechanisms)}"
        for question, mechanisms in asked.items()
        if len(mechanisms) > 1
    )
