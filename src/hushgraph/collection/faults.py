"""What can be wrong with an answer that has the right form, in words that repeat nothing of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.campaign import Campaign
from hushgraph.collection.layout import layout
from hushgraph.collection.reports import Answers
from hushgraph.mechanisms.additive import AdditiveNoise

Fault = tuple[NDArray[np.bool_], str]


def first_faults(answers: Answers, campaign: Campaign, num_people: int | None) -> dict[int, str]:
    """What is wrong first in each row that is wrong."""
    found: dict[int, str] = {}
    for wrong, reason in _faults(answers, campaign, num_people):
        for row in np.flatnonzero(wrong).tolist():
            found.setdefault(row, reason)
    return found


def _faults(answers: Answers, campaign: Campaign, num_people: int | None) -> Iterator[Fault]:
    """Which rows are wrong, and in what."""
    people, parts = answers.people, answers.parts
    if num_people is not None:
        yield _outside(people, num_people), f"people are numbered 0 to {num_people - 1}"
    if answers.question == "label":
        last = campaign.num_classes - 1
        yield _outside(parts["label"], last + 1), f"label must lie in 0 … {last}"
    elif answers.question == "lists":
        assert campaign.num_people is not None
        yield from _list_faults(answers, campaign.num_people)
    else:
        yield from _feature_faults(answers, campaign)


def _feature_faults(answers: Answers, campaign: Campaign) -> Iterator[Fault]:
    parts, last = answers.parts, campaign.num_features - 1
    rows = _rows(answers)
    if "columns" in parts:
        yield rows(_outside(parts["columns"], last + 1)), f"columns must lie in 0 … {last}"
        if "signs" in parts:
            repeated = np.diff(np.sort(parts["columns"], axis=1), axis=1) == 0
            yield repeated.any(axis=1), "columns must be distinct"
        else:
            yield rows(_not_rising(answers, "columns")), "columns must rise within a row"
    for name, part in layout(campaign, "features", answers.level).items():
        if part.kind == "whole" and name != "columns":
            yield rows(~np.isin(parts[name], (-1, 1))), f"{name} must be -1 or 1"
    if "values" in parts:
        values = parts["values"]
        yield rows(~np.isfinite(values)), "values must be finite"
        low, high = limits(campaign, answers.level)
        yield rows((values < low) | (values > high)), f"values must lie in [{low:g}, {high:g}]"


def _list_faults(answers: Answers, num_people: int) -> Iterator[Fault]:
    names, rows = answers.parts["names"], _rows(answers)
    yield rows(_outside(names, num_people)), f"names must lie in 0 … {num_people - 1}"
    yield rows(_not_rising(answers, "names")), "names must rise, each once"
    owner = np.repeat(answers.people, np.diff(answers.parts["starts"]))
    yield rows(names == owner), "a list must not name its own person"


def limits(campaign: Campaign, level: int) -> tuple[float, float]:
    """Between which numbers a device's answer about a feature lies, as far as the mechanism tells."""
    mechanism = campaign.features[level]
    if math.isinf(mechanism.epsilon):
        return mechanism.low, mechanism.high
    if isinstance(mechanism, AdditiveNoise):
        return mechanism.reach(campaign.num_features)
    return -math.inf, math.inf


def _outside(values: NDArray[Any], end: int) -> NDArray[np.bool_]:
    return (values < 0) | (values >= end)


def _not_rising(answers: Answers, name: str) -> NDArray[np.bool_]:
    """Which values do not exceed the one before them in their row."""
    values, starts = answers.parts[name].astype(np.int64), answers.parts["starts"]
    wrong = np.zeros(values.size, bool)
    wrong[1:] = np.diff(values) <= 0
    wrong[starts[:-1][np.diff(starts) > 0]] = False
    return wrong


def _rows(answers: Answers) -> Callable[[NDArray[np.bool_]], NDArray[np.bool_]]:
    """From wrong values to the rows that have one."""
    starts = answers.parts.get("starts")

    def rows(wrong: NDArray[np.bool_]) -> NDArray[np.bool_]:
        if starts is None:
            return np.asarray(wrong.reshape(wrong.shape[0], -1).any(axis=1))
        found = np.zeros(answers.people.size, bool)
        found[np.searchsorted(starts, np.flatnonzero(wrong), side="right") - 1] = True
        return found

    return rows
