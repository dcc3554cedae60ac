"""A collector in a process of its own, on SQLite, and campaigns in it."""

from __future__ import annotations

import base64
import json
import os
import secrets
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import hushgraph as hg
from hushgraph.collection.varint import varint
from hushgraph.collection.wire import Wire
from hushgraph.device import answer

START = 60
COMMAND = [sys.executable, "-c", "from hushgraph.cli import main; main()", "collector", "serve"]


@dataclass(frozen=True)
class Collector:
    """A server that runs, and the token of whoever runs it."""

    address: str
    admin: str

    def ask(self, method: str, path: str, body: bytes | None = None, token: str | None = None) -> bytes:
        headers = {"Authorization": f"Bearer {self.admin if token is None else token}"}
        request = urllib.request.Request(f"{self.address}{path}", body, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.read()

    def campaign(self, *, opened: bool = True, **terms: Any) -> Asked:
        """A new campaign, of which everybody has a token."""
        made = hg.Campaign(**{"num_people": 60, "name": f"campaign {secrets.token_hex(4)}"} | terms)
        self.ask("POST", "/v1/campaigns", made.to_json().encode())
        asked = Asked(self, made, {})
        if opened:
            self.ask("POST", f"{asked.path}/open")
        everybody = json.dumps({"first": 0, "count": made.num_people}).encode()
        _, *lines = self.ask("POST", f"{asked.path}/tokens", everybody).decode().split()
        for line in lines:
            person, _, token = line.partition(",")
            asked.tokens[int(person)] = token
        return asked


@dataclass(frozen=True)
class Asked:
    """A campaign of a collector, with everybody's tokens."""

    collector: Collector
    campaign: hg.Campaign
    tokens: dict[int, str]

    @property
    def path(self) -> str:
        return f"/v1/campaigns/{self.campaign.id}"

    def link(self, person: int) -> str:
        return f"{self.collector.address}/participate/{self.campaign.id}#token={self.tokens[person]}"

    @property
    def dashboard(self) -> str:
        return f"{self.collector.address}/dashboard/{self.campaign.id}"

    def kept(self, person: int) -> bytes | None:
        """What the server has of somebody."""
        try:
            return self.collector.ask("GET", f"{self.path}/report", token=self.tokens[person])
        except urllib.error.HTTPError as refused:
            if refused.code not in (404, 410):
                raise
            return None

    def send_many(self, people: Iterator[int] | range, label: int = 1) -> None:
        """Reports of other people, from devices in Python."""
        wire, rng = Wire(self.campaign), np.random.default_rng(6)
        entries = []
        for person in people:
            held: dict[str, Any] = {"label": label}
            if self.campaign.features:
                held["features"] = rng.random(self.campaign.num_features)
            levels = {question: 0 for question in self.campaign.asked if question != "lists"}
            body = wire.encode(answer(self.campaign, person, **held, levels=levels, public_columns=True))
            entries.append((_secret(self.tokens[person]), body))
        batch = varint(len(entries)) + b"".join(key + varint(len(body)) + body for key, body in entries)
        told = json.loads(self.collector.ask("POST", f"{self.path}/reports", batch))
        assert told["kept"] == len(entries), told

    def figures(self) -> Any:
        return json.loads(self.collector.ask("GET", f"{self.path}/statistics"))


@contextmanager
def running(folder: Path) -> Iterator[Collector]:
    """Starts one, and stops it in the end."""
    admin = secrets.token_urlsafe(32)
    place = {"HUSHGRAPH_ADMIN_TOKEN": admin, "HUSHGRAPH_DATABASE": f"sqlite:///{folder / 'collector.db'}"}
    place |= {"PYTHONUNBUFFERED": "1"}
    # More than a person's page asks for, because one person asks here as fast as a test can.
    command = [*COMMAND, "--port", "0", "--setting", "requests=1000", "--setting", "failures=1000"]
    with (folder / "out").open("wb") as out, (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env=os.environ | place, stdout=out, stderr=log)
    try:
        collector = Collector(_address(folder, process), admin)
        _until_ready(collector)
        yield collector
    finally:
        process.terminate()
        process.wait(30)


def _address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    for _ in range(START * 10):
        for word in (folder / "out").read_text().split():
            if word.startswith("http://"):
                return word.rstrip(";")
        assert process.poll() is None, (folder / "log").read_text()
        time.sleep(0.1)
    raise TimeoutError("the collector did not say where it listens")


def _until_ready(collector: Collector) -> None:
    for _ in range(START * 10):
        try:
            collector.ask("GET", "/readyz")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the collector did not get ready")


def _secret(token: str) -> bytes:
    return base64.urlsafe_b64decode(token.partition(".")[2] + "==")
