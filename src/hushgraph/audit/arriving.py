"""What a server has of people whose devices answered: the bytes, and the numbers that it reads from them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.audit.devices import Device, Held, Levels
from hushgraph.audit.sampling import numbers
from hushgraph.audit.scores import Rows
from hushgraph.collection.campaign import Campaign
from hushgraph.collection.columns import feature_answers
from hushgraph.collection.export import Export, export
from hushgraph.collection.report import Report
from hushgraph.collection.wire import Wire

# How many people hold a value at a time at most, so that their numbers stay short.
MOST_PEOPLE = 1 << 14
# Longer reports are looked at byte by byte, and not bit by bit.
LONGEST_IN_BITS = 64
# Of more features than that it is left open which of them a sign is about.
MOST_COLUMNS = 256

Collector = Callable[[Campaign, Sequence[bytes]], Iterable[bytes]]
"""What becomes of the reports of some people until a server learns from them."""


def exported(campaign: Campaign, sent: Sequence[bytes]) -> Iterable[bytes]:
    """The reports as a collector exports them and a server reads them."""
    own = [type(mechanism) for question in campaign.asked for mechanism in campaign.levels(question)]
    return Export(io.BytesIO(b"".join(export(campaign, sent))), own).reports()


def arrived(
    campaign: Campaign,
    held: Held,
    levels: Levels,
    device: Device,
    collector: Collector,
    trials: int,
    times: int,
) -> list[list[bytes]]:
    """What a server has of each of so many people who hold the same and are asked so many times."""
    # A list may name anybody but its owner: then it is always the same person who answers.
    people = 1 if "friends" in held else min(campaign.num_people or MOST_PEOPLE, MOST_PEOPLE)
    found: list[list[bytes]] = []
    while len(found) < trials:
        asked = np.arange(min(trials - len(found), people if people > 1 else trials)) % people
        answers = device(campaign, asked.tolist(), held, levels, times)
        if len(answers) != len(asked):
            raise ValueError(f"the device must answer for each of {len(asked)} people, got {len(answers)}")
        arriving = [list(collector(campaign, [one[time] for one in answers])) for time in range(times)]
        if any(len(one) != len(answers) for one in arriving):
            raise ValueError("the collector must give back every report that was sent, in its order")
        found += [list(one) for one in zip(*arriving, strict=True)]
    return found


def views(
    campaign: Campaign, one: Sequence[Sequence[bytes]], other: Sequence[Sequence[bytes]], named: Sequence[int]
) -> tuple[list[Rows], list[Rows]]:
    """What arrived in two worlds, as rows of numbers and as rows of bits; of lists, who is named of some."""
    wire = Wire(campaign)
    read = _together([[_numbers(wire, each, named) for each in world] for world in (one, other)])
    raw = _together([[_bits(b"".join(each)) for each in world] for world in (one, other)])
    return [read[0], raw[0]], [read[1], raw[1]]


def listed(report: Report, named: Sequence[int]) -> NDArray[np.int64]:
    """Whether a list names each of these, and how many others it names."""
    names = report.answers["lists"].parts["names"]
    stands = np.isin(named, names)
    return np.append(stands, names.size - stands.sum())


def _numbers(wire: Wire, bodies: Sequence[bytes], named: Sequence[int]) -> NDArray[np.float64]:
    parts: list[Any] = []
    for body in bodies:
        report = wire.decode(body)
        # Which questions somebody answered must not depend on what they hold.
        parts.append([question in report.answers for question in wire.campaign.asked])
        for question, answer in report.answers.items():
            if question == "lists":
                parts.append(listed(report, named))
            elif "signs" in answer.parts and wire.campaign.num_features <= MOST_COLUMNS:
                parts.append(numbers(feature_answers(answer.parts, wire.campaign.num_features)).ravel())
            else:
                told = next(array for name, array in answer.parts.items() if name != "columns")
                parts.append(np.ravel(told))
    return np.concatenate(parts).astype(np.float64)


def _bits(body: bytes) -> NDArray[np.float64]:
    read = np.frombuffer(body, np.uint8)
    return (np.unpackbits(read) if read.size <= LONGEST_IN_BITS else read).astype(np.float64)


def _together(worlds: Sequence[Sequence[NDArray[np.float64]]]) -> list[Rows]:
    """Rows of one length, each with the length that it had."""
    longest = max(row.size for world in worlds for row in world)
    return [
        np.array([np.concatenate([[row.size], row, np.zeros(longest - row.size)]) for row in world])
        for world in worlds
    ]
