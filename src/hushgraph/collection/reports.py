"""The reports of many people, as columns."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph._files import atomic_write
from hushgraph.collection import columns
from hushgraph.collection.campaign import QUESTIONS, Campaign, Question
from hushgraph.collection.report import Answer, AnyReport, Report

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Refusal:
    """A report that was not taken, and why; no value of it is repeated.

    ``report`` is its place among those that came, from 0 on, and None for those in a batch; ``person`` is
    whose it was, where that could be read.
    """

    why: str
    report: int | None = None
    person: int | None = None

    def __str__(self) -> str:
        if self.report is None:
            return f"the report of person {self.person}: {self.why}"
        person = "" if self.person is None else f" (person {self.person})"
        return f"report {self.report}{person}: {self.why}"


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The answers of many people to one question at one of the campaign's levels.

    ``parts`` has a row for each of the people; see :data:`~hushgraph.collection.columns.Columns`.
    """

    question: Question
    level: int
    people: NDArray[np.int64]
    parts: Mapping[str, NDArray[Any]]

    def select(self, rows: NDArray[Any]) -> Answers:
        """Those in some rows."""
        return Answers(self.question, self.level, self.people[rows], columns.select(self.parts, rows))


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """What leaves devices, of many people at once: answers of each question and level to one campaign.

    They are ``simulated`` if the noise came from a seed.
    """

    campaign_id: str
    answers: tuple[Answers, ...]
    simulated: bool = False

    def __post_init__(self) -> None:
        places = [(one.question, one.level) for one in self.answers]
        if len(set(places)) < len(places):
            raise ValueError("answers to one question at one level must stand in one place")

    @property
    def people(self) -> NDArray[np.int64]:
        """Whoever answered something, sorted."""
        return np.unique(np.concatenate([np.zeros(0, np.int64), *(one.people for one in self.answers)]))

    def of_question(self, question: Question) -> tuple[Answers, ...]:
        """The answers to one question, of each level that somebody took."""
        return tuple(one for one in self.answers if one.question == question)

    def levels(self, question: Question, num_people: int) -> NDArray[np.int64]:
        """The level that each person took of a question; -1 for those who did not answer."""
        taken = np.full(num_people, -1, np.int64)
        for one in self.of_question(question):
            taken[one.people] = one.level
        return taken

    def __len__(self) -> int:
        return int(self.people.size)

    def __iter__(self) -> Iterator[Report]:
        """One report for each person, by number."""
        answered: dict[int, dict[Question, Answer]] = defaultdict(dict)
        for one in self.answers:
            for place, person in enumerate(one.people.tolist()):
                answered[person][one.question] = Answer(one.level, columns.row(one.parts, place))
        for person in sorted(answered):
            yield Report(self.campaign_id, person, answered[person], self.simulated)

    def __repr__(self) -> str:
        sizes = {name: sum(one.people.size for one in self.of_question(name)) for name in QUESTIONS}
        counts = ", ".join(f"{size:,} with {question}" for question, size in sizes.items() if size)
        return f"Reports({len(self):,} people: {counts}{', simulated' if self.simulated else ''})"

    @classmethod
    def gather(cls, campaign: Campaign, reports: Iterable[AnyReport]) -> tuple[Reports, list[Refusal]]:
        """Single reports, or their JSON, as one batch; those that do not fit are refused."""
        from hushgraph.collection.screening import gather

        return gather(campaign, reports, campaign.num_people)

    def to_json(self) -> str:
        """All reports as one JSON document."""
        reports = ",\n".join(report.to_json() for report in self)
        return f'{{"format":{FORMAT},"campaign":"{self.campaign_id}","reports":[\n{reports}\n]}}\n'

    @classmethod
    def from_json(cls, text: str, campaign: Campaign) -> tuple[Reports, list[Refusal]]:
        """Reads what :meth:`to_json` wrote; reports that cannot be read are refused."""
        try:
            document = json.loads(text)
            if document["format"] != FORMAT:
                raise ValueError(f"its format is not {FORMAT}, which this version reads")
            if document["campaign"] != campaign.id:
                raise ValueError("it answers another campaign")
            given = list(document["reports"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(f"this is no batch of reports: {error}") from error
        return cls.gather(campaign, given)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything as named arrays, for an npz file."""
        header = {"format": FORMAT, "campaign": self.campaign_id, "simulated": self.simulated}
        arrays: dict[str, NDArray[Any]] = {"reports": np.array(json.dumps(header))}
        for one in self.answers:
            place = f"{one.question}.{one.level}"
            arrays[f"{place}.people"] = one.people
            arrays |= {f"{place}.{name}": part for name, part in one.parts.items()}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Reports:
        """The inverse of :meth:`arrays`; arrays of other names are left aside."""
        header = json.loads(str(arrays["reports"]))
        if header["format"] != FORMAT:
            raise ValueError(f"format {header['format']}, but this version reads {FORMAT}")
        found: dict[tuple[Question, int], dict[str, NDArray[Any]]] = defaultdict(dict)
        for name, array in arrays.items():
            question, _, rest = name.partition(".")
            level, _, part = rest.partition(".")
            if question in QUESTIONS and level.isdecimal() and part:
                found[question, int(level)][part] = array
        answers = (Answers(*place, parts.pop("people"), parts) for place, parts in found.items())
        return cls(str(header["campaign"]), tuple(answers), bool(header["simulated"]))

    def save(self, path: str | Path) -> None:
        """Writes an npz file; a kill at any moment leaves the old file or the new one."""
        with atomic_write(path) as file:
            np.savez_compressed(file, allow_pickle=False, **self.arrays())

    @classmethod
    def load(cls, path: str | Path) -> Reports:
        """Reads what :meth:`save` wrote; what it says is checked by :func:`~hushgraph.assemble`."""
        try:
            with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                return cls.from_arrays({name: stored[name] for name in stored.files})
        except FileNotFoundError:
            raise
        except Exception as error:
            raise ValueError(f"{path} holds no readable reports: {error}") from error
