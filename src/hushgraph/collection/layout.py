"""The form of an answer: which arrays it has, of what kind and length."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from hushgraph.mechanisms.one_bit import OneBit
from hushgraph.mechanisms.protocol import Sampling

if TYPE_CHECKING:
    from hushgraph.collection.campaign import Campaign, Question


@dataclass(frozen=True, slots=True)
class Part:
    """One array of one person's answer: whole numbers, or any.

    The ``length`` is () for a single number, (k,) for k of them, None for any number of them.
    """

    kind: Literal["whole", "number"]
    length: tuple[int, ...] | None

    @property
    def dtype(self) -> type[np.generic]:
        """How a server holds it."""
        return np.int64 if self.kind == "whole" else np.float32


# Values of which zeros are left out.
SPARSE = {"columns": Part("whole", None), "values": Part("number", None)}


def layout(campaign: Campaign, question: Question, level: int, *, sparse: bool = False) -> dict[str, Part]:
    """The arrays of one person's answer to a question at a level; or ``sparse`` ones, where these may be.

    Zeros may be left out of features that are not randomised, if 0 is one of their values.
    """
    if question == "label":
        return {"label": Part("whole", ())}
    if question == "lists":
        return {"names": Part("whole", None)}
    mechanism, features = campaign.features[level], campaign.num_features
    randomised = math.isfinite(mechanism.epsilon)
    if sparse and not randomised and mechanism.low <= 0 <= mechanism.high:
        return SPARSE
    if randomised and isinstance(mechanism, Sampling):
        m = (mechanism.sampled(features),)
        return {"columns": Part("whole", m), "signs": Part("whole", m)}
    signs = randomised and isinstance(mechanism, OneBit)
    return {"values": Part("whole" if signs else "number", (features,))}
