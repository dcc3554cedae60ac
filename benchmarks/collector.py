"""A collector under load: reports a second, single and in batches, on SQLite and on PostgreSQL.

The collector is one process, the load another, both on this machine. For each store: single reports over many
connections, each with one request in flight; then batches. Latencies are as the client sees them; the
collector's memory is looked at all the time.

    python benchmarks/collector.py --output docs/results/collector.json
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import gc
import json
import os
import platform
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from hushgraph import MultiBit, RandomizedResponse, _http
from hushgraph.collection import Campaign
from hushgraph.collection.varint import varint

sys.path.insert(0, str(Path(__file__).parents[1]))
CONNECTIONS = 64
BATCH = 5_000
BATCHES_AT_ONCE = 4
FEATURES = 1_000


def campaign(people: int) -> Campaign:
    return Campaign(
        classes=tuple("01234"),
        num_features=FEATURES,
        features=(MultiBit(1.0),),
        labels=(RandomizedResponse(1.0),),
        num_people=people,
    )


def reports(asked: Campaign) -> Iterator[tuple[int, bytes]]:
    """Well-formed reports of everybody, in no order, as devices send them."""
    rng = np.random.default_rng(0)
    head = bytes([0b10011]) + bytes.fromhex(asked.id[:8])
    people = rng.permutation(asked.num_people or 0)
    for person, sign, label in zip(
        people.tolist(), rng.integers(0, 2, people.size), rng.integers(0, 5, people.size), strict=True
    ):
        yield person, head + varint(person) + bytes([sign, label])


@contextmanager
def collector(database: str, token: str) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-c", "from hushgraph.cli import main; main()", "collector", "serve"]
    command += ["--database", database, "--port", "0"]
    with tempfile.TemporaryFile("w+") as log:
        server = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=os.environ | {"HUSHGRAPH_ADMIN_TOKEN": token},
        )
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            yield line.split()[4].rstrip(";"), server.pid
        finally:
            server.terminate()
            server.wait(60)


def resident_megabytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


class Client(asyncio.Protocol):
    """One connection that sends one request after the other and notes how long each took."""

    def __init__(
        self, requests: Iterator[bytes], ends: float, took: list[float], statuses: dict[str, int]
    ) -> None:
        self.requests, self.ends, self.took, self.statuses = requests, ends, took, statuses
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.send()

    def send(self) -> None:
        request = next(self.requests, None) if time.perf_counter() < self.ends else None
        if request is None:
            self.transport.close()
            return
        self.began = time.perf_counter()
        self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        if len(rest) < length:
            return
        self.buffer = rest[length:]
        self.took.append(time.perf_counter() - self.began)
        status = head[9:12].decode()
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if status == "200" and b'"kept":' in rest:
            kept = json.loads(rest[:length])["kept"]
            self.statuses["kept"] = self.statuses.get("kept", 0) + kept
        self.send()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


async def run_load(
    host: str, port: int, requests: list[bytes], connections: int, seconds: float
) -> dict[str, Any]:
    took: list[float] = []
    statuses: dict[str, int] = {}
    loop = asyncio.get_running_loop()
    each = iter(requests)
    began = time.perf_counter()
    clients = [
        (await loop.create_connection(lambda: Client(each, began + seconds, took, statuses), host, port))[1]
        for _ in range(connections)
    ]
    await asyncio.gather(*(client.done for client in clients))
    elapsed = time.perf_counter() - began
    quantiles = np.quantile(took, [0.5, 0.99]) if took else [0, 0]
    return {
        "requests": len(took),
        "seconds": elapsed,
        "p50_ms": 1e3 * float(quantiles[0]),
        "p99_ms": 1e3 * float(quantiles[1]),
        "statuses": statuses,
    }


def request(method: str, place: str, body: bytes, token: str | None = None) -> bytes:
    shown = f"Authorization: Bearer {token}\r\n" if token else ""
    return (
        f"{method} {place} HTTP/1.1\r\nHost: localhost\r\n{shown}"
        f"Content-Type: application/octet-stream\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


def load(address: str, tokens: str, kind: str, people: int, skip: int, seconds: float) -> dict[str, Any]:
    """The other process: everything is made ready before the clock starts."""
    import uvloop

    # Its own pauses are none of the collector's.
    gc.disable()
    asked = campaign(people)
    place = f"/v1/campaigns/{asked.id}"
    known = dict(line.split(",") for line in Path(tokens).read_text().split()[1:])
    every = list(reports(asked))
    host, _, port = address.removeprefix("http://").rpartition(":")
    if kind == "single":
        ready = [request("PUT", f"{place}/report", body, known[str(who)]) for who, body in every[:skip]]
        connections = CONNECTIONS
    else:
        ready = []
        for first in range(skip, people, BATCH):
            entries = [
                base64.urlsafe_b64decode(known[str(who)].partition(".")[2] + "==") + varint(len(body)) + body
                for who, body in every[first : first + BATCH]
            ]
            ready.append(request("POST", f"{place}/reports", varint(len(entries)) + b"".join(entries)))
        connections = BATCHES_AT_ONCE
    told = uvloop.run(run_load(host, int(port), ready, connections, seconds))
    count = told["requests"] if kind == "single" else told["statuses"].get("kept", 0)
    return told | {"reports_a_second": count / told["seconds"]}


def measured(database: str, people: int, singles: int, seconds: float) -> dict[str, Any]:
    token = secrets.token_urlsafe(32)
    asked = campaign(people)
    with tempfile.TemporaryDirectory() as folder, collector(database, token) as (address, process):
        base = f"{address}/v1/campaigns"
        _http.request("POST", base, token, asked.to_json().encode(), "application/json")
        began = time.perf_counter()
        tokens = Path(folder) / "tokens.csv"
        body = json.dumps({"first": 0, "count": people}).encode()
        with _http.opened("POST", f"{base}/{asked.id}/tokens", token, body, "application/json") as (_, lines):
            tokens.write_bytes(lines.read())
        issued = time.perf_counter() - began
        _http.request("POST", f"{base}/{asked.id}/open", token, b"")
        figures: dict[str, Any] = {"tokens_a_second": people / issued}
        for kind in ("single", "batched"):
            words = [address, tokens, kind, people, singles, seconds]
            command = [sys.executable, __file__, "--load", *map(str, words)]
            other = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            memory = []
            while other.poll() is None:
                memory.append(resident_megabytes(process))
                time.sleep(0.1)
            assert other.stdout is not None
            figures[kind] = json.loads(other.stdout.read().splitlines()[-1])
            # After each quarter of the time: it is to end where it was.
            quarters = [memory[len(memory) * quarter // 4 - 1] for quarter in (1, 2, 3, 4)]
            figures[kind]["megabytes"] = [round(one, 1) for one in quarters]
        status = json.loads(_http.request("GET", f"{base}/{asked.id}", token)[1])
        told = figures["single"]["statuses"].get("201", 0) + figures["batched"]["statuses"].get("kept", 0)
        assert status["reports"] == told, (status["reports"], told)
        figures["reports"] = told
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path)
    parser.add_argument("--stores", default="sqlite,postgresql")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--people", type=int, default=1_500_000)
    parser.add_argument("--singles", type=int, default=200_000)
    parser.add_argument("--load", nargs=6, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.load:
        address, tokens, kind, people, singles, seconds = given.load
        print(json.dumps(load(address, tokens, kind, int(people), int(singles), float(seconds))))
        return
    figures: dict[str, Any] = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        # What else ran on it.
        "load_average_before": os.getloadavg()[0],
    }
    for store in given.stores.split(","):
        if store == "sqlite":
            with tempfile.TemporaryDirectory() as folder:
                database = f"sqlite:///{folder}/collector.db"
                figures[store] = measured(database, given.people, given.singles, given.seconds)
        else:
            from tests.collector import postgresql

            with postgresql.server() as address:
                database = postgresql.new_database(address, "benchmark")
                figures[store] = measured(database, given.people, given.singles, given.seconds)
        print(store, json.dumps(figures[store], indent=1), flush=True)
    if given.output:
        given.output.parent.mkdir(parents=True, exist_ok=True)
        given.output.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
