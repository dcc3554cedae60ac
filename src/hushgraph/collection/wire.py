"""One report as few bytes: what devices send and collectors store; docs/wire.md has the format."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph.collection.campaign import QUESTIONS, Campaign, Question
from hushgraph.collection.public_columns import asked_columns
from hushgraph.collection.report import LONGEST, Answer, Report
from hushgraph.collection.varint import read_varint, varint
from hushgraph.collection.wire_answers import TOO_SHORT, Form, form_of
from hushgraph.mechanisms import MultiBit
from hushgraph.mechanisms.protocol import Sampling

VERSION = 1
SIMULATED = 0b1000
# The head and four bytes of the campaign's id; a person's number follows.
HEADER = 5

Piece = tuple[Question, int, Form, int, int]
"""An answer in a report: the question, the level, the form, and the places where it starts and ends."""


class WireError(ValueError):
    """These bytes are no report to the campaign; it says why, and repeats nothing of them."""


class Wire:
    """The reports to one campaign, to and from bytes.

    >>> from hushgraph import MultiBit, RandomizedResponse, answer
    >>> asked = Campaign(classes=["cat", "dog"], num_features=10_000, features=MultiBit(1.0),
    ...                  labels=RandomizedResponse(1.0), num_people=1_000_000)
    >>> report = answer(asked, 999_999, features=np.zeros(10_000), label="cat", public_columns=True)
    >>> sent = Wire(asked).encode(report)
    >>> len(sent), Wire(asked).decode(sent).person
    (10, 999999)
    """

    def __init__(self, campaign: Campaign) -> None:
        for mechanism in campaign.features:
            if isinstance(mechanism, Sampling) and not isinstance(mechanism, MultiBit):
                raise ValueError(
                    "features: of mechanisms that sample, only MultiBit has a public rule for it"
                )
        self.campaign = campaign
        self._tag = bytes.fromhex(campaign.id[:8])
        # For each question its bit in the head, how many levels there are, and the form at each.
        self._questions: list[tuple[int, Question, list[Form]]] = [
            (1 << bit, question, [form_of(campaign, question, level) for level in range(len(levels))])
            for bit, question in enumerate(QUESTIONS)
            if (levels := campaign.levels(question))
        ]
        self._known = SIMULATED | sum(bit for bit, _, _ in self._questions)

    def encode(self, report: Report) -> bytes:
        """A report as bytes; of sampled features, the sample must be the public one."""
        if report.campaign_id != self.campaign.id:
            raise ValueError("the report answers another campaign")
        head = VERSION << 4 | SIMULATED * report.simulated
        written = []
        for bit, question, forms in self._questions:
            if question not in report.answers:
                continue
            answer = report.answers[question]
            head |= bit
            if len(forms) > 1:
                written.append(varint(answer.level))
            if "signs" in answer.parts:
                (columns,) = self.columns([report.person], answer.level)
                if not np.array_equal(answer.parts["columns"], columns):
                    raise ValueError("the features are not the public ones: answer with public_columns=True")
            written.append(forms[answer.level].write(answer.parts))
        data = bytes([head]) + self._tag + varint(report.person) + b"".join(written)
        if self.check(data) != report.person:
            raise ValueError("the report does not fit the campaign")
        return data

    def check(self, data: bytes) -> int:
        """Whose report it is, if it is one; else a :class:`WireError`."""
        return self.walk(data)[0]

    def decode(self, data: bytes) -> Report:
        """The report that the bytes are, or a :class:`WireError`."""
        person, pieces = self.walk(data)
        answers: dict[Question, Answer] = {}
        for question, level, form, at, _ in pieces:
            parts = form.parts(data, at)
            if "signs" in parts:
                parts["columns"] = self.columns([person], level)[0]
            answers[question] = Answer(level, parts)
        return Report(self.campaign.id, person, answers, bool(data[0] & SIMULATED))

    def walk(self, data: bytes) -> tuple[int, list[Piece]]:
        """Whose report it is, and where each answer stands."""
        try:
            head = self._head(data)
            person, at = read_varint(data, HEADER)
            if self.campaign.num_people is not None and person >= self.campaign.num_people:
                raise ValueError(f"people are numbered 0 to {self.campaign.num_people - 1}")
            pieces = []
            for bit, question, forms in self._questions:
                if head & bit:
                    level = 0
                    if len(forms) > 1:
                        level, at = read_varint(data, at)
                        if level >= len(forms):
                            raise ValueError(f"the level of {question} must lie in 0 … {len(forms) - 1}")
                    end = forms[level].end(data, at, person)
                    pieces.append((question, level, forms[level], at, end))
                    at = end
        except ValueError as error:
            raise WireError(str(error)) from None
        if at != len(data):
            raise WireError("something follows its end")
        return person, pieces

    def _head(self, data: bytes) -> int:
        if len(data) > LONGEST:
            raise ValueError(f"it is longer than {LONGEST:,} bytes")
        if len(data) < HEADER:
            raise ValueError(TOO_SHORT)
        head = data[0]
        if head >> 4 != VERSION:
            raise ValueError(f"its version is not {VERSION}, which this version reads")
        if data[1:HEADER] != self._tag:
            raise ValueError("it answers another campaign")
        if head & 0b1111 & ~self._known:
            raise ValueError("it answers a question that the campaign does not ask")
        if not head & 0b111:
            raise ValueError("it answers nothing")
        return head

    def columns(self, people: ArrayLike, level: int) -> NDArray[np.int32]:
        """Which features some people are asked about at a level of a mechanism that samples."""
        mechanism, d = self.campaign.features[level], self.campaign.num_features
        assert isinstance(mechanism, MultiBit)
        return asked_columns(self.campaign.id, people, d, mechanism.sampled(d))
