"""The door: what a server checks of reports before it takes them in.

A batch whose arrays have the wrong form is refused as a whole. A report that says something impossible is
refused alone, and the others are kept; why is said in words that repeat nothing of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection import columns
from hushgraph.collection.campaign import QUESTIONS, Campaign, Question
from hushgraph.collection.faults import first_faults
from hushgraph.collection.form import check_form
from hushgraph.collection.report import Answer, AnyReport, Report, is_whole, parsed
from hushgraph.collection.reports import Answers, Refusal, Reports


def gather(
    campaign: Campaign, given: Iterable[AnyReport], num_people: int | None
) -> tuple[Reports, list[Refusal]]:
    """Single reports as one batch.

    Each is judged alone and as a whole; of two good ones of one person the first is kept.
    """
    read: dict[int, Report] = {}
    why: dict[int, tuple[str, int | None]] = {}
    for number, one in enumerate(given):
        report = _read(one, campaign)
        if isinstance(report, Report):
            read[number] = report
        else:
            why[number] = report
    for numbers, answers in _stacked(read):
        for row, reason in first_faults(answers, campaign, num_people).items():
            why.setdefault(int(numbers[row]), (reason, int(answers.people[row])))
    # A few that say otherwise do not speak for the others.
    simulated = 2 * sum(report.simulated for report in read.values()) > len(read)
    for number, report in read.items():
        if report.simulated != simulated:
            said = "simulated" if report.simulated else "not simulated"
            why.setdefault(number, (f"it is {said}, and most others are not so", report.person))
    seen: set[int] = set()
    for number, report in read.items():
        if number not in why and report.person in seen:
            why[number] = "there is an earlier one, which is kept", report.person
        elif number not in why:
            seen.add(report.person)
    kept = {number: report for number, report in read.items() if number not in why}
    refused = [Refusal(reason, number, person) for number, (reason, person) in sorted(why.items())]
    return Reports(campaign.id, tuple(answers for _, answers in _stacked(kept)), simulated), refused


def screened(campaign: Campaign, reports: Reports, num_people: int) -> tuple[Reports, list[Refusal]]:
    """The reports of a batch that make sense, and why the others do not.

    A row that makes no sense is left out, and so is a second one of a person. Somebody of whom no good answer
    to a question is left that they did answer is out with everything.
    """
    if reports.campaign_id != campaign.id:
        raise ValueError("the reports answer another campaign")
    kept: list[Answers] = []
    left_out: dict[int, str] = {}
    without_answer: set[int] = set()
    for question in QUESTIONS:
        wrong: set[int] = set()
        good_people = np.zeros(0, np.int64)
        for given in reports.of_question(question):
            one = check_form(given, campaign)
            faults = first_faults(one, campaign, num_people)
            good = np.ones(one.people.size, bool)
            good[list(faults)] = False
            first = np.zeros_like(good)
            first[np.flatnonzero(good)[np.unique(one.people[good], return_index=True)[1]]] = True
            first &= ~np.isin(one.people, good_people)
            twice = f"{question} is answered twice; the first answer is kept"
            for row in np.flatnonzero(~first).tolist():
                left_out.setdefault(int(one.people[row]), faults.get(row, twice))
            wrong |= {int(one.people[row]) for row in faults}
            good_people = np.concatenate([good_people, one.people[first]])
            kept.append(one if first.all() else one.select(first))
        without_answer |= wrong - set(good_people.tolist() if wrong else ())
    if without_answer:
        kept = [one.select(~np.isin(one.people, list(without_answer))) for one in kept]
    refused = [Refusal(reason, person=person) for person, reason in sorted(left_out.items())]
    answers = tuple(one for one in kept if one.people.size)
    return Reports(reports.campaign_id, answers, reports.simulated), refused


def _read(given: AnyReport, campaign: Campaign) -> Report | tuple[str, int | None]:
    """A report, whatever it came as; or why it cannot be read, and whose it is, if that can."""
    values: Any = None
    try:
        if isinstance(given, str | bytes):
            values = parsed(given)
        else:
            values = given.to_values() if isinstance(given, Report) else given
        return Report.from_values(values, campaign)
    except ValueError as error:
        person = values.get("person") if isinstance(values, Mapping) else None
        return str(error), person if is_whole(person) else None
    except (TypeError, AttributeError):
        return "it is no report", None


def _stacked(reports: Mapping[int, Report]) -> list[tuple[NDArray[np.int64], Answers]]:
    """The answers of single reports as columns, with the number of the report that each row is from."""
    rows: dict[tuple[Question, int], list[tuple[int, int, Answer]]] = defaultdict(list)
    for number, report in reports.items():
        for question, answer in report.answers.items():
            rows[question, answer.level].append((number, report.person, answer))
    stacked = []
    for (question, level), found in sorted(rows.items()):
        numbers, people, answers = zip(*found, strict=True)
        parts = columns.stack([answer.parts for answer in answers], ragged=question == "lists")
        stacked.append((np.array(numbers), Answers(question, level, np.array(people, np.int64), parts)))
    return stacked
