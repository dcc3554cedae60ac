"""One person's report: what leaves a device."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.campaign import QUESTIONS, Campaign, Question
from hushgraph.collection.layout import SPARSE, Part, layout

FORMAT = 1
# A report is small; whoever sends more is not answering.
LONGEST = 1 << 26


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """One person's answer to one question: the level that was taken, and named arrays."""

    level: int
    parts: Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What one device sends to one campaign: a person's number, from 0 on, and an answer by question.

    It is ``simulated`` if the noise came from a seed.
    """

    campaign_id: str
    person: int
    answers: Mapping[Question, Answer]
    simulated: bool = False

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(self.to_values(), separators=(",", ":"), allow_nan=False)

    def to_values(self) -> dict[str, Any]:
        """The same as plain values."""
        answers = {
            question: {"level": answer.level}
            | {name: np.asarray(part).tolist() for name, part in answer.parts.items()}
            for question, answer in self.answers.items()
        }
        document = {"format": FORMAT, "campaign": self.campaign_id, "person": self.person, "answers": answers}
        return document | ({"simulated": True} if self.simulated else {})

    @classmethod
    def from_json(cls, text: str | bytes, campaign: Campaign) -> Report:
        """Reads a report to a campaign; what does not fit is a ValueError that repeats no value."""
        return cls.from_values(parsed(text), campaign)

    @classmethod
    def from_values(cls, document: Any, campaign: Campaign) -> Report:
        """The same, from JSON that was read."""
        _check_keys(document, {"format", "campaign", "person", "answers"}, {"simulated"}, "it")
        if document["format"] != FORMAT:
            raise ValueError(f"its format is not {FORMAT}, which this version reads")
        if document["campaign"] != campaign.id:
            raise ValueError("it answers another campaign")
        if not is_whole(document["person"]) or document["person"] < 0:
            raise ValueError("person must be a whole number from 0 on")
        if not isinstance(document.get("simulated", False), bool):
            raise ValueError("simulated must be true or false")
        answers = document["answers"]
        if not isinstance(answers, dict) or not answers:
            raise ValueError("answers must be a JSON object with at least one answer")
        if not set(answers) <= set(QUESTIONS):
            raise ValueError("it answers a question that there is not")
        read = {question: _answer(question, given, campaign) for question, given in answers.items()}
        return cls(campaign.id, document["person"], read, document.get("simulated", False))


AnyReport = Report | str | bytes | Mapping[str, Any]
"""A report, its JSON, or the values in that."""


def parsed(text: str | bytes) -> Any:
    """JSON as plain values."""
    if len(text) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST:,} characters")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None


def is_whole(value: Any) -> bool:
    """Whether JSON has a whole number that fits 64 bits."""
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def _answer(question: Question, given: Any, campaign: Campaign) -> Answer:
    levels = campaign.levels(question)
    if not levels:
        raise ValueError(f"it answers {question}, which the campaign does not ask for")
    level: Any = given.get("level") if isinstance(given, dict) else None
    if not is_whole(level) or not 0 <= level < len(levels):
        raise ValueError(f"the level of {question} must be a whole number in 0 … {len(levels) - 1}")
    expected = layout(campaign, question, level, sparse="columns" in given)
    _check_keys(given, {"level", *expected}, set(), question)
    parts = {name: _array(given[name], part, name) for name, part in expected.items()}
    return Answer(level, _dense(parts, campaign.num_features) if expected is SPARSE else parts)


def _dense(parts: Mapping[str, NDArray[Any]], dimensions: int) -> dict[str, NDArray[Any]]:
    """All values of a person who left zeros out."""
    columns, values = parts["columns"], parts["values"]
    rising = (np.diff(columns) > 0).all() and ((columns >= 0) & (columns < dimensions)).all()
    if columns.shape != values.shape or not rising:
        raise ValueError(f"columns must be as many as values and rise within 0 … {dimensions - 1}")
    dense = np.zeros(dimensions, np.float32)
    dense[columns] = values
    return {"values": dense}


def _array(given: Any, part: Part, name: str) -> NDArray[Any]:
    if part.length == ():
        if not is_whole(given):
            raise ValueError(f"{name} must be a whole number")
        return np.array(given, part.dtype)
    if not isinstance(given, list):
        raise ValueError(f"{name} must be a list")
    if part.length is not None and (len(given),) != part.length:
        raise ValueError(f"{name} must have {part.length[0]} entries, and has {len(given)}")
    whole = part.kind == "whole"
    if not all(is_whole(value) or (not whole and isinstance(value, float)) for value in given):
        raise ValueError(f"{name} must hold {'whole ' if whole else ''}numbers")
    with np.errstate(over="ignore"):  # what becomes infinite is refused at the door
        return np.array(given, part.dtype)


def _check_keys(given: Any, needed: set[str], allowed: set[str], what: str) -> None:
    if not isinstance(given, dict):
        raise ValueError(f"{what} must be a JSON object")
    missing, unknown = needed - set(given), set(given) - needed - allowed
    if missing:
        raise ValueError(f"{what} has no {', '.join(sorted(missing))}")
    if unknown:
        raise ValueError(f"{what} has {len(unknown)} entries that are not known")
