"""A batch of many people's reports: docs/wire.md has the format."""

from __future__ import annotations

from dataclasses import dataclass, field

from hushgraph.collection.varint import read_varint
from hushgraph.collection.wire import Wire
from hushgraph.collector import tokens

MOST = 10_000
SECRET = tokens.SECRET


@dataclass(frozen=True, slots=True)
class Batch:
    """The well-formed reports of a batch, as columns with the place of each; and why others are not."""

    entries: list[int] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    malformed: list[tuple[int, str]] = field(default_factory=list)


def read_batch(wire: Wire, key: bytes, data: bytes, largest: int) -> Batch:
    """Reads a batch; ValueError where it is none. A report in it that is none spoils no other."""
    count, at = read_varint(data, 0)
    if count > MOST:
        raise ValueError(f"a batch has at most {MOST:,} entries")
    batch = Batch()
    for entry in range(count):
        secret = data[at : at + SECRET]
        length, at = read_varint(data, at + SECRET)
        body = data[at : at + length]
        at += length
        if at > len(data):
            raise ValueError(f"it ends in the middle of entry {entry}")
        try:
            if length > largest:
                raise ValueError(f"a report may have at most {largest:,} bytes")
            person = wire.check(body)
        except ValueError as error:
            batch.malformed.append((entry, str(error)))
            continue
        batch.entries.append(entry)
        batch.people.append(person)
        batch.digests.append(tokens.digest(key, person, secret))
        batch.bodies.append(body)
    if at != len(data):
        raise ValueError("something follows its end")
    return batch
