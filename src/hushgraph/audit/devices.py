"""Devices to audit, through what everybody can call: hushgraph's own, and any other as a command."""

from __future__ import annotations

import json
import math
import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hushgraph.audit.found import Audit
from hushgraph.collection.campaign import Campaign, Question
from hushgraph.collection.wire import Wire
from hushgraph.device import Reporter, answer
from hushgraph.mechanisms.randomness import Random

Held = Mapping[str, Any]
"""What a person holds, as :func:`hushgraph.answer` takes it: ``features``, ``label``, ``friends``."""
Levels = Mapping[Question, int]


class Device(Protocol):
    """Answers as many devices would whose people hold the same: for each person, the bytes that leave.

    Each device is asked ``times`` times; its answers stand one behind the other.
    """

    def __call__(
        self, campaign: Campaign, people: Sequence[int], held: Held, levels: Levels, times: int
    ) -> list[list[bytes]]:
        """The bytes of each person's answers."""


def answering(rng: Random | None = None) -> Device:
    """:func:`hushgraph.answer`, which remembers nothing: asked twice, it answers twice."""

    def device(
        campaign: Campaign, people: Sequence[int], held: Held, levels: Levels, times: int
    ) -> list[list[bytes]]:
        wire = Wire(campaign)

        def one(person: int) -> bytes:
            report = answer(campaign, person, **held, levels=levels, public_columns=True, rng=rng)
            return wire.encode(report)

        return [[one(person) for _ in range(times)] for person in people]

    return device


def reporting(make: Callable[[], Any] | None = None) -> Device:
    """A :class:`~hushgraph.Reporter` for each person, in memory, or what ``make`` makes in its place."""
    new: Callable[[], Any] = make or (lambda: Reporter(epsilon=math.inf, delta=1 - 2**-53))

    def device(
        campaign: Campaign, people: Sequence[int], held: Held, levels: Levels, times: int
    ) -> list[list[bytes]]:
        answers = []
        for person in people:
            own = new()
            said = (own.answer(campaign, person, **held, levels=levels) for _ in range(times))
            answers.append([bytes(record.body or b"") for record in said])
        return answers

    return device


class Compared:
    """A device whose answers are compared on their way: whoever is asked again must send the same bytes.

    That is promised for any budget, so that one other answer breaks it; no bound on ε is needed, which is
    above a large budget for no number of devices.
    """

    def __init__(self, device: Device) -> None:
        self.device, self.asked, self.forgot, self.times = device, 0, 0, 0

    def __call__(
        self, campaign: Campaign, people: Sequence[int], held: Held, levels: Levels, times: int
    ) -> list[list[bytes]]:
        """What the device says."""
        answers = self.device(campaign, people, held, levels, times)
        self.times = times
        self.asked += len(answers)
        self.forgot += sum(any(again != first for again in others) for first, *others in answers)
        return answers

    def memory(self, beside: Audit) -> Audit:
        """What was found of it, ``beside`` another audit of the same campaign."""
        measured = f"{self.forgot:,} of {self.asked:,} devices gave another answer"
        tried = f"the bytes of each device that was asked {self.times} times"
        return Audit(
            0.0, beside.epsilon, 0.0, 0, 1.0, "the first answer again", tried,
            measured=measured, broken=self.forgot > 0,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Commanded:
    """Any other device: a command that reads lines of JSON and writes one for each (docs/audits.md).

    A line has the ``terms`` of the campaign, its ``id``, and ``answers``: for each ``person`` what they
    ``held``, the ``levels``, and how many ``times`` the device is asked. What it writes has a list for
    each of these, of answers in hexadecimal; or an object with an ``error``.

    Args:
        command: what is run, once for many answers.
        seconds: how long it may take.
    """

    command: str
    seconds: float = 600.0

    def __post_init__(self) -> None:
        if not shlex.split(self.command):
            raise ValueError(f"command must be what starts the device, got {self.command!r}")

    def __call__(
        self, campaign: Campaign, people: Sequence[int], held: Held, levels: Levels, times: int
    ) -> list[list[bytes]]:
        """One process for all of them."""
        plain = {name: np.asarray(value).tolist() for name, value in held.items()}
        answers = [{"person": one, "held": plain, "levels": dict(levels), "times": times} for one in people]
        line = json.dumps({"terms": campaign.to_json(), "id": campaign.id, "answers": answers})
        said = self._said(f"{line}\n")
        try:
            told = json.loads(said)
            refused = isinstance(told, dict)
            found = [] if refused else [[bytes.fromhex(one) for one in one_person] for one_person in told]
        except (TypeError, ValueError):
            raise ValueError(
                f"the device {self.command!r} must answer with a list for each person, of hexadecimal, as"
                " JSON"
            ) from None
        if refused:
            raise ValueError(f"the device {self.command!r} refused: {told.get('error')}")
        if [len(one) for one in found] != [times] * len(people):
            raise ValueError(f"the device {self.command!r} did not answer {times} times for each person")
        return found

    def _said(self, line: str) -> str:
        """The one line that the command writes."""
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        words = shlex.split(self.command)
        with subprocess.Popen(words, text=True, start_new_session=True, **pipes) as process:
            try:
                written, complaints = process.communicate(line, timeout=self.seconds)
            except BaseException as error:
                _end(process)
                if not isinstance(error, subprocess.TimeoutExpired):
                    raise
                raise ValueError(
                    f"the device {self.command!r} did not end within {self.seconds:g} seconds"
                ) from None
        said: list[str] = written.splitlines()
        if process.returncode or len(said) != 1:
            raise ValueError(f"the device {self.command!r} failed: {complaints.strip() or 'it said nothing'}")
        return said[0]


def _end(process: subprocess.Popen[str]) -> None:
    """Ends a device and, where there are process groups, what it started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
