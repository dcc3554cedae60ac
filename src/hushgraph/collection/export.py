"""A campaign's reports as one stream: what a collector exports and a server learns from.

docs/wire.md has the format. Both sides hold one report at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from hushgraph.collection.campaign import Campaign
from hushgraph.collection.report import LONGEST
from hushgraph.collection.varint import read_varint, varint

MAGIC = b"HUSHEXP1"
# Nine bytes hold any number.
LONGEST_NUMBER = 9


def export(campaign: Campaign, reports: Iterable[bytes]) -> Iterator[bytes]:
    """The stream of a campaign and its reports on the wire, piece by piece."""
    terms = campaign.to_json().encode()
    yield MAGIC + varint(len(terms)) + terms
    count = 0
    for report in reports:
        count += 1
        yield varint(len(report)) + report
    yield varint(0) + varint(count)


class Export:
    """A stream that is read: its campaign at once, its reports as they are asked for.

    >>> import io
    >>> from hushgraph import RandomizedResponse
    >>> asked = Campaign(classes=2, labels=RandomizedResponse(1.0), num_people=5)
    >>> stream = io.BytesIO(b"".join(export(asked, [b"one", b"another"])))
    >>> read = Export(stream)
    >>> read.campaign.id == asked.id, list(read.reports())
    (True, [b'one', b'another'])
    """

    def __init__(self, stream: BinaryIO, mechanisms: Iterable[type] = ()) -> None:
        self._stream = stream
        if self._exactly(len(MAGIC)) != MAGIC:
            raise ValueError("this is no export of a campaign, or of another version")
        terms = self._exactly(self._number())
        try:
            self.campaign = Campaign.from_json(terms.decode(), mechanisms)
        except UnicodeDecodeError:
            raise ValueError("the terms of the campaign are not text in UTF-8") from None

    def reports(self) -> Iterator[bytes]:
        """The reports, in the order of people; an error if the stream ends before its end."""
        count = 0
        while size := self._number():
            yield self._exactly(size)
            count += 1
        if self._number() != count:
            raise ValueError("the export does not hold as many reports as it says")

    def _number(self) -> int:
        read = b""
        while not read or read[-1] & 0x80:
            read += self._exactly(1)
            if len(read) > LONGEST_NUMBER:
                break
        return read_varint(read, 0)[0]

    def _exactly(self, size: int) -> bytes:
        if size > LONGEST:
            raise ValueError(f"a part of the export is longer than {LONGEST:,} bytes")
        read = self._stream.read(size)
        while len(read) < size and (more := self._stream.read(size - len(read))):
            read += more
        if len(read) < size:
            raise ValueError("the export ends too early: fetch it again")
        return read
