"""One person's answer to a campaign."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from hushgraph import _check
from hushgraph.collection.campaign import QUESTIONS, Campaign, Question
from hushgraph.collection.columns import row, to_columns
from hushgraph.collection.public_columns import asked_columns
from hushgraph.collection.report import Answer, Report
from hushgraph.device.readings import read_features, read_friends, read_label
from hushgraph.mechanisms import MultiBit
from hushgraph.mechanisms.randomness import Random, SecureRandom, checked


def answer(
    campaign: Campaign,
    person: int,
    *,
    features: ArrayLike | None = None,
    label: int | str | None = None,
    friends: ArrayLike | None = None,
    levels: Mapping[Question, int] | None = None,
    public_columns: bool = False,
    rng: Random | None = None,
) -> Report:
    """What a device sends: each answer that is given, randomised by the campaign's mechanism.

    Answer once: a second report of the same values costs as much again.

    Whatever a value is, it is answered, because silence would tell something about it. Only None is not: who
    answered which question is no secret.

    Args:
        campaign, person: what is asked, and the person's own number.
        features: the person's features (d,). One outside its range counts as the nearest end, what is no
            number as the middle.
        label: the person's class, its number or name; what is neither (-1) counts as one drawn at random.
        friends: the numbers of their friends; one that does not exist does not count, and one counts once.
        levels: the level of privacy to take of each question that has several; 0 is the most private.
        public_columns: take the features that :class:`~hushgraph.MultiBit` samples from a public rule instead
            of drawing them, so that the wire need not carry which they are.
        rng: the operating system's randomness, unless a simulation passes a seeded generator.

    >>> from hushgraph import Campaign, RandomizedResponse
    >>> asked = Campaign(classes=["cat", "dog"], labels=RandomizedResponse(1.0))
    >>> answer(asked, 3, label="cat").to_json()
    '{"format":1,"campaign":"...","person":3,"answers":{"label":{"level":0,"label":...}}}'
    """
    source = SecureRandom() if rng is None else checked(rng)
    person = _check.count(person, "person")
    if campaign.num_people is not None and person >= campaign.num_people:
        raise ValueError(f"person must lie in 0 … {campaign.num_people - 1}, got {person}")
    for question in levels or {}:
        _check.choice(question, "levels", campaign.asked)
    # In the order in which a simulation draws, so that the same words give the same answers.
    held: dict[Question, Any] = {"label": label, "lists": friends, "features": features}
    answers: dict[Question, Answer] = {}
    for question, value in held.items():
        if value is None:
            continue
        offered = campaign.levels(question)
        if not offered:
            raise ValueError(f"the campaign does not ask for {question}")
        level = _level(levels or {}, question, len(offered))
        answers[question] = Answer(
            level, _randomized(campaign, question, level, value, person, source, public_columns)
        )
    if not answers:
        raise ValueError("there is nothing to send: give features, label or friends")
    ordered = {question: answers[question] for question in QUESTIONS if question in answers}
    return Report(campaign.id, person, ordered, simulated=type(source) is not SecureRandom)


def _level(levels: Mapping[Question, int], question: Question, offered: int) -> int:
    if offered > 1 and question not in levels:
        raise ValueError(f"levels must say which of {offered} levels to take of {question}")
    level = _check.count(levels.get(question, 0), f"the level of {question}")
    if level >= offered:
        raise ValueError(f"the level of {question} must lie in 0 … {offered - 1}, got {level}")
    return level


def _randomized(
    campaign: Campaign, question: Question, level: int, value: Any, person: int, rng: Random, public: bool
) -> dict[str, Any]:
    mechanism = campaign.levels(question)[level]
    if question == "label":
        return {"label": mechanism.randomize(read_label(campaign, value, rng), rng)}
    if question == "lists":
        return row(to_columns(mechanism.randomize(read_friends(campaign, person, value), rng)), 0)
    held = read_features(campaign, value, level)
    if public and isinstance(mechanism, MultiBit) and math.isfinite(mechanism.epsilon):
        columns = asked_columns(campaign.id, [person], held.size, mechanism.sampled(held.size))[0]
        return to_columns(mechanism.randomize_at(columns, held, rng))
    return to_columns(mechanism.randomize(held, rng))
