"""The form of an answer: which arrays it has, of what kind and length."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hushgraph.mechanisms.multi_bit import MultiBit
from hushgraph.mechanisms.one_bit import OneBit

if TYPE_CHECKING:
    from hushgraph.collection.campaign import Campaign, Question


@dataclass(frozen=True, slots=True)
class Part:
    """One array of one person's answer.

    Attributes:
        kind: whole numbers, or any.
        length: () for a single number, (k,) for k of them, None for any number of them.
    """

    kind: Literal["whole", "number"]
    length: tuple[int, ...] | None


def layout(campaign: Campaign, question: Question, level: int) -> dict[str, Part]:
    """The arrays of one person's answer to a question at a level."""
    if question == "label":
        return {"label": Part("whole", ())}
    if question == "lists":
        return {"names": Part("whole", None)}
    mechanism, features = campaign.features[level], campaign.num_features
    if isinstance(mechanism, MultiBit) and math.isfinite(mechanism.epsilon):
        m = (mechanism.sampled(features),)
        return {"columns": Part("whole", m), "signs": Part("whole", m)}
    signs = isinstance(mechanism, OneBit) and math.isfinite(mechanism.epsilon)
    return {"values": Part("whole" if signs else "number", (features,))}
