"""Devices to audit, through what everybody can call: hushgraph's own, and any other as a command."""

from __future__ import annotations

import json
import math
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

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

    def __call__(
        self, campaign: Campaign, people: Sequence[int], held: Held, levels: Levels, times: int
    ) -> list[list[bytes]]:
        """One process for all of them."""
        plain = {name: np.asarray(value).tolist() for name, value in held.items()}
        answers = [{"person": one, "held": plain, "levels": dict(levels), "times": times} for one in people]
        line = json.dumps({"terms": campaign.to_json(), "id": campaign.id, "answers": answers})
        words = shlex.split(self.command)
        try:
            ran = subprocess.run(
                words, input=f"{line}\n", capture_output=True, text=True, check=False, timeout=self.seconds
            )
        except subprocess.TimeoutExpired:
            raise ValueError(
                f"the device {self.command!r} did not end within {self.seconds:g} seconds"
            ) from None
        said = ran.stdout.splitlines()
        if ran.returncode or len(said) != 1:
            raise ValueError(f"the device {self.command!r} failed: {ran.stderr.strip() or 'it said nothing'}")
        told = json.loads(said[0])
        if isinstance(told, dict):
            raise ValueError(f"the device {self.command!r} refused: {told.get('error')}")
        found = [[bytes.fromhex(one) for one in one_person] for one_person in told]
        if [len(one) for one in found] != [times] * len(people):
            raise ValueError(f"the device {self.command!r} did not answer {times} times for each person")
        return found
