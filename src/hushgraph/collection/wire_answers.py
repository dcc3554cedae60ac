"""How the answer to each kind of question stands in a report on the wire; docs/wire.md has the format.

Each kind checks and finds the end of an answer (``end``), which is all that the door needs, and reads
(``parts``) or writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.campaign import Campaign, Question
from hushgraph.collection.faults import limits
from hushgraph.collection.layout import layout
from hushgraph.collection.varint import read_varint, varint

Parts = Mapping[str, NDArray[Any]]
TOO_SHORT = "it ends too early"


class Form(Protocol):
    """The form of the answers to one question at one level."""

    def end(self, data: bytes, at: int, person: int) -> int:
        """The place behind the answer that starts at a place; ValueError if it cannot be one."""

    def parts(self, data: bytes, at: int) -> dict[str, NDArray[Any]]:
        """What an answer says that was found to be one."""

    def write(self, parts: Parts) -> bytes:
        """The answer as bytes."""


@dataclass(frozen=True, slots=True)
class Signs:
    """A bit for each of so many signs, 1 for +1; they are called ``name``."""

    count: int
    name: str

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return (self.count + 7) // 8

    def end(self, data: bytes, at: int, person: int) -> int:
        end = at + self.size
        if end > len(data):
            raise ValueError(TOO_SHORT)
        if self.count % 8 and data[end - 1] >> self.count % 8:
            raise ValueError("bits that stand for nothing must be 0")
        return end

    def parts(self, data: bytes, at: int) -> dict[str, NDArray[Any]]:
        return {self.name: self.of_bytes(np.frombuffer(data, np.uint8, self.size, at))}

    def of_bytes(self, packed: NDArray[np.uint8]) -> NDArray[np.int8]:
        """Signs from bytes, of one person or of many (…, size)."""
        bits = np.unpackbits(packed, axis=-1, count=self.count, bitorder="little")
        return bits.astype(np.int8) * np.int8(2) - np.int8(1)

    def write(self, parts: Parts) -> bytes:
        return np.packbits(parts[self.name] > 0, bitorder="little").tobytes()


@dataclass(frozen=True, slots=True)
class Numbers:
    """So many numbers in single precision, from low to high."""

    count: int
    low: float
    high: float

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return 4 * self.count

    def end(self, data: bytes, at: int, person: int) -> int:
        end = at + self.size
        if end > len(data):
            raise ValueError(TOO_SHORT)
        values = np.frombuffer(data, "<f4", self.count, at)
        # What is no number is not within any limits.
        if not ((values >= self.low) & (values <= self.high) & np.isfinite(values)).all():
            raise ValueError(f"values must be finite and lie in [{self.low:g}, {self.high:g}]")
        if (np.signbit(values) & (values == 0)).any():
            raise ValueError("values must not be -0, which is another form of 0")
        return end

    def parts(self, data: bytes, at: int) -> dict[str, NDArray[Any]]:
        return {"values": self.of_bytes(np.frombuffer(data, np.uint8, self.size, at))}

    def of_bytes(self, raw: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Numbers from bytes, of one person or of many (…, size)."""
        return raw.view("<f4").astype(np.float32)

    def write(self, parts: Parts) -> bytes:
        values = parts["values"]
        if "columns" in parts:  # zeros were left out
            values = np.zeros(self.count)
            values[parts["columns"]] = parts["values"]
        # Adding 0 turns -0 into 0.
        return (values.astype("<f4") + np.float32(0)).tobytes()


@dataclass(frozen=True, slots=True)
class Label:
    """The number of a class."""

    num_classes: int

    def end(self, data: bytes, at: int, person: int) -> int:
        number, end = read_varint(data, at)
        if number >= self.num_classes:
            raise ValueError(f"label must lie in 0 … {self.num_classes - 1}")
        return end

    def parts(self, data: bytes, at: int) -> dict[str, NDArray[Any]]:
        return {"label": np.array(read_varint(data, at)[0], np.int64)}

    def write(self, parts: Parts) -> bytes:
        return varint(int(parts["label"]))


@dataclass(frozen=True, slots=True)
class Names:
    """A list of people: how many, the first, and the distances between neighbours less 1."""

    num_people: int

    def end(self, data: bytes, at: int, person: int) -> int:
        return self._read(data, at, person)[1]

    def parts(self, data: bytes, at: int) -> dict[str, NDArray[Any]]:
        return {"names": np.array(self._read(data, at, -1)[0], np.int64)}

    def _read(self, data: bytes, at: int, person: int) -> tuple[list[int], int]:
        count, at = read_varint(data, at)
        # Every name takes a byte at least.
        if count > len(data) - at:
            raise ValueError(TOO_SHORT)
        names, name = [], -1
        for _ in range(count):
            further, at = read_varint(data, at)
            name += further + 1
            if name >= self.num_people:
                raise ValueError(f"names must lie in 0 … {self.num_people - 1}")
            if name == person:
                raise ValueError("a list must not name its own person")
            names.append(name)
        return names, at

    def write(self, parts: Parts) -> bytes:
        names = parts["names"].tolist()
        distances = [name - before - 1 for before, name in pairwise([-1, *names])]
        return varint(len(names)) + b"".join(map(varint, distances))


def form_of(campaign: Campaign, question: Question, level: int) -> Form:
    """The form of the answers to a question at a level."""
    if question == "label":
        return Label(campaign.num_classes)
    if question == "lists":
        assert campaign.num_people is not None
        return Names(campaign.num_people)
    expected = layout(campaign, "features", level)
    if "signs" in expected:
        (count,) = expected["signs"].length or (0,)
        return Signs(count, "signs")
    if expected["values"].kind == "whole":
        return Signs(campaign.num_features, "values")
    return Numbers(campaign.num_features, *limits(campaign, level))
