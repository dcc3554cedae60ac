"""What was acknowledged is there: devices and a gateway send, and the collector is killed again and again.

    python -m tests.collector.durability --reports 100000 --kills 10 --database sqlite
    python -m tests.collector.durability --reports 100000 --kills 10 --database postgresql

Each device sends one report until it is acknowledged. At random moments the collector gets SIGKILL and is
started again. At the end everything is exported and compared with what was acknowledged.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from tests.collector import postgresql
from tests.collector.playing import Admin, batch, campaign
from tests.collector.processes import Process

import hushgraph as hg
from hushgraph.collection.export import Export
from hushgraph.collection.varint import varint
from hushgraph.collection.wire import Wire

DEVICES_AT_ONCE = 48
GATEWAYS = 2
# Every so many people report through a gateway.
THROUGH_A_GATEWAY = 4
BATCH = 50


@dataclass
class Outcome:
    """What devices were told, and what was found afterwards."""

    acknowledged: set[int] = field(default_factory=set)
    statuses: Counter[int] = field(default_factory=Counter)
    lost_connections: int = 0
    kills: int = 0
    missing: int = 0
    altered: int = 0
    twice: int = 0
    unknown: int = 0
    exported: int = 0

    @property
    def good(self) -> bool:
        return not (self.missing or self.altered or self.twice or self.unknown)


def reports(asked: hg.Campaign) -> list[bytes]:
    """Well-formed ones of everybody, so quickly that making them is no part of the test's time."""
    assert asked.num_people is not None
    rng = np.random.default_rng(1)
    signs, labels = rng.integers(0, 2, asked.num_people), rng.integers(0, 3, asked.num_people)
    head = bytes([0b10011]) + bytes.fromhex(asked.id[:8])
    every = [
        head + varint(person) + bytes([sign, label])
        for person, (sign, label) in enumerate(zip(signs.tolist(), labels.tolist(), strict=True))
    ]
    assert Wire(asked).check(every[7]) == 7
    return every


class Sender:
    """One connection at a time, opened anew when it breaks."""

    def __init__(self, port: int, outcome: Outcome) -> None:
        self.port, self.outcome = port, outcome
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, method: str, place: str, body: bytes, token: str = "") -> tuple[int, bytes]:
        """Until there is an answer that is one."""
        head = f"{method} {place} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
        shown = f"Authorization: Bearer {token}\r\n" if token else ""
        while True:
            try:
                status, answer = await self._exchange(f"{head}{shown}\r\n".encode() + body)
            except (OSError, asyncio.IncompleteReadError, ValueError):
                self.outcome.lost_connections += 1
                await self.close()
                await asyncio.sleep(0.05 + random.random() / 10)
                continue
            self.outcome.statuses[status] += 1
            if status not in (429, 503):
                return status, answer
            await asyncio.sleep(0.1)

    async def close(self) -> None:
        if self.streams is not None:
            self.streams[1].close()
            with suppress(OSError):
                await self.streams[1].wait_closed()
        self.streams = None

    async def _exchange(self, request: bytes) -> tuple[int, bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        return int(head[9:12]), await reader.readexactly(length)


async def everybody_sends(
    process: Process,
    asked: hg.Campaign,
    tokens: dict[int, str],
    every: list[bytes],
    deaths: list[Callable[[], None]],
    outcome: Outcome,
) -> None:
    place = f"/v1/campaigns/{asked.id}"
    port = int(process.address.rpartition(":")[2])
    alone = iter([person for person in range(len(every)) if person % THROUGH_A_GATEWAY])
    together = list(range(0, len(every), THROUGH_A_GATEWAY))
    groups = iter([together[at : at + BATCH] for at in range(0, len(together), BATCH)])

    async def devices() -> None:
        sender = Sender(port, outcome)
        for person in alone:
            status, _ = await sender.send("PUT", f"{place}/report", every[person], tokens[person])
            assert status in (200, 201), status
            outcome.acknowledged.add(person)
        await sender.close()

    async def gateway() -> None:
        sender = Sender(port, outcome)
        for people in groups:
            body = batch((tokens[person], every[person]) for person in people)
            status, answer = await sender.send("POST", f"{place}/reports", body)
            assert status == 200, status
            assert json.loads(answer)["refused"] == []
            outcome.acknowledged.update(people)
        await sender.close()

    async def killer() -> None:
        moments = random.sample(range(len(every) // 50, len(every) * 9 // 10), len(deaths))
        for moment, death in zip(sorted(moments), random.sample(deaths, len(deaths)), strict=True):
            while len(outcome.acknowledged) < moment:
                await asyncio.sleep(0.002)
            await asyncio.sleep(random.random() / 50)
            await asyncio.to_thread(death)
            outcome.kills += 1

    senders = [devices() for _ in range(DEVICES_AT_ONCE)] + [gateway() for _ in range(GATEWAYS)]
    await asyncio.gather(killer(), *senders)


def run(database: str, count: int, kills: int, log: Path, crashes: int = 0) -> Outcome:
    """The whole test against one database; PostgreSQL itself may crash too."""
    asked = campaign(people=count)
    process = Process(database, postgresql.free_port(), log, "--setting", "requests=1000000")
    outcome = Outcome()
    try:
        process.start()
        admin = Admin(process.address)
        tokens = admin.started(asked)
        every = reports(asked)

        def kill() -> None:
            process.kill()
            process.start()

        deaths = [kill] * kills + [lambda: postgresql.crash(database)] * crashes
        asyncio.run(everybody_sends(process, asked, tokens, every, deaths, outcome))
        # Once more dead before it is looked at: nothing may be in memory alone.
        process.kill()
        process.start()
        compare(admin.get(asked, "/export").content, asked, every, outcome)
        admin.http.close()
    finally:
        process.end()
    return outcome


def compare(exported: bytes, asked: hg.Campaign, every: list[bytes], outcome: Outcome) -> None:
    wire = Wire(asked)
    found: dict[int, bytes] = {}
    for body in Export(io.BytesIO(exported)).reports():
        person = wire.check(body)
        outcome.twice += person in found
        found[person] = body
    outcome.exported = len(found)
    outcome.missing = len(outcome.acknowledged - found.keys())
    outcome.altered = sum(found[person] != every[person] for person in found)
    outcome.unknown = len(found.keys() - set(range(len(every))))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument(
        "--database", default="sqlite", help="sqlite, postgresql (both its own), or an address"
    )
    parser.add_argument("--crashes", type=int, default=0, help="how often PostgreSQL itself is to crash")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    random.seed(given.seed)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        if given.database == "postgresql":
            with postgresql.server() as server:
                outcome = run(
                    postgresql.new_database(server, "durability"),
                    given.reports,
                    given.kills,
                    log,
                    given.crashes,
                )
        else:
            database = f"sqlite:///{folder}/collector.db" if given.database == "sqlite" else given.database
            outcome = run(database, given.reports, given.kills, log)
    took = time.monotonic() - began
    print(f"{given.database}: {given.reports:,} reports, {outcome.kills} kills, {took:.0f} s")
    print(f"acknowledged {len(outcome.acknowledged):,}, exported {outcome.exported:,};", end=" ")
    print(f"missing {outcome.missing}, altered {outcome.altered}, twice {outcome.twice}")
    print(f"answers by status {dict(sorted(outcome.statuses.items()))},", end=" ")
    print(f"connections lost {outcome.lost_connections}")
    raise SystemExit(0 if outcome.good and len(outcome.acknowledged) == given.reports else 1)


if __name__ == "__main__":
    main()
