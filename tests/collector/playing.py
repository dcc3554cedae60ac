"""A collector to test, the administrator and the devices that talk to it."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import numpy as np

import hushgraph as hg
from hushgraph.collection.varint import varint
from hushgraph.collection.wire import Wire
from hushgraph.collector.serving import Collector, listen
from hushgraph.collector.settings import Settings

ADMIN = "the-administrator-of-the-tests-has-this"
PEOPLE = 200


def campaign(people: int = PEOPLE, **changed: Any) -> hg.Campaign:
    asked: dict[str, Any] = {
        "classes": ["cat", "dog", "bird"],
        "num_features": 20,
        "features": hg.MultiBit(2.0),
        "labels": hg.RandomizedResponse(1.0),
        "num_people": people,
        "name": "pets",
    }
    return hg.Campaign(**asked | changed)


def report(asked: hg.Campaign, person: int, seed: int = 0) -> bytes:
    """What a device sends; another seed, another report."""
    rng = np.random.default_rng([person, seed])
    answered = hg.answer(
        asked, person, features=rng.random(asked.num_features), label=person % 3, rng=rng, public_columns=True
    )
    return Wire(asked).encode(answered)


def other_report(asked: hg.Campaign, person: int) -> bytes:
    """One that differs from the first."""
    first = report(asked, person)
    return next(other for seed in range(1, 1000) if (other := report(asked, person, seed)) != first)


def batch(entries: Iterable[tuple[str, bytes]]) -> bytes:
    """Tokens and reports, as a gateway sends them."""
    written = [secret(token) + varint(len(body)) + body for token, body in entries]
    return varint(len(written)) + b"".join(written)


def secret(token: str) -> bytes:
    return base64.urlsafe_b64decode(token.partition(".")[2] + "==")


class Admin:
    """Whoever runs campaigns on a collector, and a client for everybody else."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.http = httpx.Client(base_url=f"{address}/v1/campaigns", timeout=30)
        self.headers = {"Authorization": f"Bearer {ADMIN}"}

    def create(self, asked: hg.Campaign) -> httpx.Response:
        return self.http.post(
            f"{self.address}/v1/campaigns", content=asked.to_json().encode(), headers=self.headers
        )

    def post(self, asked: hg.Campaign, what: str) -> httpx.Response:
        return self.http.post(f"/{asked.id}/{what}", headers=self.headers)

    def get(self, asked: hg.Campaign, what: str = "") -> httpx.Response:
        return self.http.get(f"/{asked.id}{what}", headers=self.headers)

    def tokens(self, asked: hg.Campaign, count: int = PEOPLE, first: int = 0, **more: Any) -> dict[int, str]:
        answer = self.http.post(
            f"/{asked.id}/tokens", json={"first": first, "count": count, **more}, headers=self.headers
        )
        assert answer.status_code == 200, answer.text
        head, *lines = answer.text.splitlines()
        assert head == "person,token"
        return {int(person): token for person, token in (line.split(",") for line in lines)}

    def started(self, asked: hg.Campaign) -> dict[int, str]:
        """An open campaign, and everybody's tokens."""
        assert self.create(asked).status_code == 201
        assert self.post(asked, "open").status_code == 200
        return self.tokens(asked, asked.num_people or PEOPLE)

    def send(self, asked: hg.Campaign, token: str, body: bytes) -> httpx.Response:
        return self.http.put(f"/{asked.id}/report", content=body, headers=bearer(token))

    def stored(self, asked: hg.Campaign, token: str) -> httpx.Response:
        return self.http.get(f"/{asked.id}/report", headers=bearer(token))

    def withdraw(self, asked: hg.Campaign, token: str) -> httpx.Response:
        return self.http.delete(f"/{asked.id}/report", headers=bearer(token))

    def send_batch(self, asked: hg.Campaign, body: bytes) -> httpx.Response:
        return self.http.post(f"/{asked.id}/reports", content=body)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@contextmanager
def running(database: str, **settings: Any) -> Iterator[Admin]:
    """A collector in this process, over real HTTP."""
    given = {"requests": 10_000, "failures": 10_000} | settings
    with serving(listen(Settings(database=database, admin_token=ADMIN, **given), port=0)) as admin:
        yield admin


@contextmanager
def serving(collector: Collector) -> Iterator[Admin]:
    """One that listens already, until the block ends."""
    thread = threading.Thread(target=collector.run, daemon=True)
    thread.start()
    admin = Admin(collector.address)
    try:
        yield admin
    finally:
        admin.http.close()
        collector.stop()
        thread.join(40)
        assert not thread.is_alive()
