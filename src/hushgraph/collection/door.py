"""The door: what a server checks of reports before it takes them in.

A batch whose arrays have the wrong form is refused as a whole. A report that says something impossible is
refused alone, and the others are kept; why is said in words that repeat nothing of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.campaign import QUESTIONS, Campaign
from hushgraph.collection.layout import layout
from hushgraph.collection.reports import Answers, Refusal, Reports

Fault = tuple[NDArray[np.bool_], str]


def screened(campaign: Campaign, reports: Reports, num_people: int) -> tuple[Reports, list[Refusal]]:
    """The reports that make sense, and why the others do not."""
    if reports.campaign != campaign.id:
        raise ValueError("the reports answer another campaign")
    why: dict[int, str] = {}
    for answers in reports.answers:
        check_form(answers, campaign)
        for wrong, reason in _faults(answers, campaign, num_people):
            for person in answers.people[wrong].tolist():
                why.setdefault(person, reason)
    refused = [Refusal(reason, person=person) for person, reason in sorted(why.items())]
    kept: list[Answers] = []
    for question in QUESTIONS:
        earlier = np.array(sorted(why), np.int64)
        for answers in reports.of_question(question):
            first = np.zeros(answers.people.size, bool)
            first[np.unique(answers.people, return_index=True)[1]] = True
            good = first & ~np.isin(answers.people, earlier)
            again = answers.people[~good & ~np.isin(answers.people, list(why))]
            refused += [
                Refusal(f"{question} is answered twice; the first answer is kept", person=person)
                for person in again.tolist()
            ]
            if good.any():
                kept.append(answers if good.all() else answers.select(good))
            earlier = np.concatenate([earlier, answers.people])
    return Reports(reports.campaign, tuple(kept), reports.simulated), refused


def check_form(answers: Answers, campaign: Campaign) -> None:
    """Refuses arrays that do not have the names, kinds and shapes of the campaign's answers."""
    levels = campaign.levels(answers.question)
    if not 0 <= answers.level < len(levels):
        raise ValueError(f"reports answer {answers.question} at level {answers.level}, which is not asked")
    where, rows = f"{answers.question} at level {answers.level}", answers.people.size
    if answers.people.ndim != 1 or answers.people.dtype.kind not in "iu":
        raise ValueError(f"{where}: people must be a list of whole numbers")
    expected = layout(campaign, answers.question, answers.level)
    parts = dict(answers.parts)
    starts = parts.pop("starts", None)
    # Features that are not randomised may be sparse; lists are one behind the other.
    plain = math.isinf(levels[answers.level].epsilon)
    sparse = answers.question == "features" and starts is not None and plain
    names = {"columns", "values"} if sparse else set(expected)
    if set(parts) != names or (starts is None) == (sparse or answers.question == "lists"):
        raise ValueError(f"{where}: the arrays must be {', '.join(sorted(names))}")
    if starts is not None:
        proper = starts.shape == (rows + 1,) and starts.dtype.kind in "iu"
        if not proper or starts[0] != 0 or (np.diff(starts.astype(np.int64)) < 0).any():
            raise ValueError(f"{where}: starts must rise from 0 over {rows + 1} entries")
    for name, array in parts.items():
        shape = (rows, *(expected[name].length or ())) if starts is None else (int(starts[-1]),)
        if array.shape != shape:
            raise ValueError(f"{where}: {name} must have shape {shape}, got {array.shape}")
        whole = name not in expected or expected[name].kind == "whole"
        if array.dtype.kind not in ("iu" if whole else "iuf"):
            kind = "whole numbers" if whole else "numbers"
            raise ValueError(f"{where}: {name} must hold {kind}, got {array.dtype}")


def _faults(answers: Answers, campaign: Campaign, num_people: int) -> Iterator[Fault]:
    """Which rows are wrong, and in what."""
    people, parts = answers.people, answers.parts
    yield (people < 0) | (people >= num_people), f"people are numbered 0 to {num_people - 1}"
    if answers.question == "label":
        last = campaign.num_classes - 1
        yield _outside(parts["label"], last + 1), f"label must lie in 0 … {last}"
    elif answers.question == "lists":
        yield from _list_faults(answers, num_people)
    else:
        yield from _feature_faults(answers, campaign)


def _feature_faults(answers: Answers, campaign: Campaign) -> Iterator[Fault]:
    parts, last = answers.parts, campaign.num_features - 1
    mechanism = campaign.features[answers.level]
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
        if math.isinf(mechanism.epsilon):
            within = (values >= mechanism.low) & (values <= mechanism.high)
            yield rows(~within), f"values must lie in [{mechanism.low:g}, {mechanism.high:g}]"


def _list_faults(answers: Answers, num_people: int) -> Iterator[Fault]:
    names, rows = answers.parts["names"], _rows(answers)
    yield rows(_outside(names, num_people)), f"names must lie in 0 … {num_people - 1}"
    yield rows(_not_rising(answers, "names")), "names must rise, each once"
    owner = np.repeat(answers.people, np.diff(answers.parts["starts"]))
    yield rows(names == owner), "a list must not name its own person"


def _outside(values: NDArray[Any], end: int) -> NDArray[np.bool_]:
    wrong: NDArray[np.bool_] = (values < 0) | (values >= end)
    return wrong


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
