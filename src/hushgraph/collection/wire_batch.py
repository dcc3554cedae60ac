"""Very many reports on the wire, as columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.campaign import Campaign, Question
from hushgraph.collection.columns import Columns, join, stack
from hushgraph.collection.reports import Answers, Refusal, Reports
from hushgraph.collection.wire import SIMULATED, Wire, WireError
from hushgraph.collection.wire_answers import Form, Numbers, Signs

# Reports read at a time: what they take as single objects is given back before the next ones come.
CHUNK = 1 << 16


def decode_all(campaign: Campaign, sent: Iterable[bytes]) -> tuple[Reports, list[Refusal]]:
    """All reports as one batch, and why some were refused; of two of one person the first is kept."""
    wire = Wire(campaign)
    refused: list[Refusal] = []
    # Whose each good report is, which number it came as, and whether it says that it is simulated.
    good: list[NDArray[np.int64]] = [np.zeros((0, 3), np.int64)]
    answers: dict[tuple[Question, int], list[tuple[NDArray[np.int64], Answers]]] = defaultdict(list)
    reports = enumerate(sent)
    while chunk := list(islice(reports, CHUNK)):
        headers, found = _read(wire, chunk, sum(map(len, good)), refused)
        good.append(headers)
        for rows, one in found:
            answers[one.question, one.level].append((rows, one))
    people, numbers, said = np.concatenate(good).T
    first = np.zeros(people.size, bool)
    first[np.unique(people, return_index=True)[1]] = True
    # A few that say otherwise do not speak for the others.
    simulated = bool(2 * said[first].sum() > first.sum())
    odd = first & (said != simulated)
    for which, why in (
        (~first, "there is an earlier one, which is kept"),
        (odd, f"it is {'not ' if simulated else ''}simulated, and most others are not so"),
    ):
        refused += map(Refusal, [why] * int(which.sum()), numbers[which].tolist(), people[which].tolist())
    kept = first & ~odd
    joined = [_joined(parts, kept) for _, parts in sorted(answers.items())]
    refused.sort(key=lambda one: one.report or 0)
    return Reports(campaign.id, tuple(one for one in joined if one.people.size), simulated), refused


def _read(
    wire: Wire, chunk: list[tuple[int, bytes]], before: int, refused: list[Refusal]
) -> tuple[NDArray[np.int64], list[tuple[NDArray[np.int64], Answers]]]:
    """The headers of the good reports of a chunk, and their answers with the place of each one's header."""
    headers: list[tuple[int, int, int]] = []
    found: dict[tuple[Question, int, Form], tuple[list[int], list[bytes]]] = defaultdict(lambda: ([], []))
    for number, data in chunk:
        try:
            person, pieces = wire.walk(data)
        except WireError as error:
            refused.append(Refusal(str(error), number))
            continue
        for question, level, form, at, end in pieces:
            places, bodies = found[question, level, form]
            places.append(len(headers))
            bodies.append(data[at:end])
        headers.append((person, number, data[0] & SIMULATED and 1))
    told = np.array(headers, np.int64).reshape(-1, 3)
    answers = []
    for (question, level, form), (places, bodies) in found.items():
        rows = np.array(places)
        people = told[rows, 0]
        one = Answers(question, level, people, _columns(wire, level, form, people, bodies))
        answers.append((before + rows, one))
    return told, answers


def _columns(
    wire: Wire, level: int, form: Form, people: NDArray[np.int64], answers: list[bytes]
) -> dict[str, NDArray[Any]]:
    if not isinstance(form, Signs | Numbers):
        rows: list[Columns] = [form.parts(answer, 0) for answer in answers]
        return stack(rows, ragged="names" in rows[0])
    together = np.frombuffer(b"".join(answers), np.uint8).reshape(people.size, form.size)
    values = form.of_bytes(together)
    if isinstance(form, Numbers) or form.name == "values":
        return {"values": values}
    return {"columns": wire.columns(people, level), "signs": values}


def _joined(parts: list[tuple[NDArray[np.int64], Answers]], kept: NDArray[np.bool_]) -> Answers:
    rows, answers = zip(*parts, strict=True)
    together = Answers(
        answers[0].question,
        answers[0].level,
        np.concatenate([one.people for one in answers]),
        join([one.parts for one in answers]),
    )
    return together if kept.all() else together.select(kept[np.concatenate(rows)])
