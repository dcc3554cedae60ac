"""Very many reports on the wire, as columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
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
    people: dict[int, tuple[int, bool]] = {}
    refused: list[Refusal] = []
    answers: dict[tuple[Question, int], list[Answers]] = defaultdict(list)
    reports = enumerate(sent)
    while chunk := list(islice(reports, CHUNK)):
        for one in _read(wire, chunk, people, refused):
            answers[one.question, one.level].append(one)
    # A few that say otherwise do not speak for the others.
    simulated = 2 * sum(said for _, said in people.values()) > len(people)
    odd = {person: number for person, (number, said) in people.items() if said != simulated}
    why = f"it is {'not ' if simulated else ''}simulated, and most others are not so"
    refused += [Refusal(why, number, person) for person, number in odd.items()]
    joined = [_joined(question, level, parts, odd) for (question, level), parts in sorted(answers.items())]
    kept = tuple(one for one in joined if one.people.size)
    return Reports(campaign.id, kept, simulated), sorted(refused, key=lambda one: one.report or 0)


def _read(
    wire: Wire, chunk: list[tuple[int, bytes]], people: dict[int, tuple[int, bool]], refused: list[Refusal]
) -> Iterator[Answers]:
    """The answers in a chunk; ``people`` gets whoever sent a report, with its number and what it says."""
    found: dict[tuple[Question, int, Form], tuple[list[int], list[bytes]]] = defaultdict(lambda: ([], []))
    for number, data in chunk:
        try:
            person, pieces = wire.walk(data)
        except WireError as error:
            refused.append(Refusal(str(error), number))
            continue
        if person in people:
            refused.append(Refusal("there is an earlier one, which is kept", number, person))
            continue
        people[person] = number, bool(data[0] & SIMULATED)
        for question, level, form, at, end in pieces:
            who, what = found[question, level, form]
            who.append(person)
            what.append(data[at:end])
    for (question, level, form), (who, what) in found.items():
        numbers = np.array(who)
        yield Answers(question, level, numbers, _columns(wire, level, form, numbers, what))


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


def _joined(question: Question, level: int, parts: list[Answers], odd: Iterable[int]) -> Answers:
    people = np.concatenate([one.people for one in parts])
    answers = Answers(question, level, people, join([one.parts for one in parts]))
    return answers.select(~np.isin(people, list(odd))) if odd else answers
