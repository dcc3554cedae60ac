"""What the routes of a collector share."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeVar

from sqlalchemy import Connection
from starlette.requests import Request

from hushgraph.collector import addresses, people, tokens
from hushgraph.collector.allowance import Allowance
from hushgraph.collector.budgets import Budget
from hushgraph.collector.campaigns import Ready, Shelf
from hushgraph.collector.metrics import Metrics
from hushgraph.collector.refusals import RefusedError, busy, unauthorized
from hushgraph.collector.settings import Settings
from hushgraph.collector.stores import Store
from hushgraph.collector.tokens import Credential
from hushgraph.collector.writer import Writer

T = TypeVar("T")
Kind = Literal["short", "long", "figures"]


class Service:
    """The store with its writer, the campaigns in use, and who may do what."""

    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        self.settings, self.store, self.metrics = settings, store, metrics
        self.shelf = Shelf(store.engine)
        self.writer = Writer(
            store.engine, store.statements, settings.waiting_reports, settings.waiting_bytes, metrics.round
        )
        self._requests = Allowance(settings.requests, settings.requests_a_second)
        self._failures = Allowance(settings.failures, settings.failures_a_second)
        # Apart, so that batches, for which nobody shows a token beforehand, are in no report's way.
        self.long_reports = self._budget(settings.largest_report)
        self.batches = self._budget(settings.largest_batch)
        # What is short, and what takes long, so that the one does not wait for the other.
        sizes: dict[Kind, int] = {"short": 6, "long": 3, "figures": 2}
        self._threads = {kind: ThreadPoolExecutor(size, kind) for kind, size in sizes.items()}

    def _budget(self, largest: int) -> Budget:
        """One may have a quarter, and in any case room for one body."""
        most = max(self.settings.body_bytes, largest)
        return Budget(most, max(most // 4, largest))

    def stop(self) -> None:
        """Writes what waits and lets go of the database; called on a thread."""
        self.writer.stop()
        for threads in self._threads.values():
            threads.shutdown()
        self.store.engine.dispose()

    async def on_thread(self, work: Callable[[], T], kind: Kind = "short") -> T:
        """Runs what would hold up the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads[kind], work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Reads from the database."""

        def connected() -> T:
            with self.store.engine.connect() as connection:
                return work(connection)

        return await self.on_thread(connected)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Writes to the database; on disk once this returns."""
        written: T = await asyncio.wrap_future(self.writer.run(work))
        return written

    async def campaign(self, campaign_id: str) -> Ready:
        """A campaign, or 404."""
        found = self.shelf.at_hand(campaign_id)
        if found is None:
            if len(campaign_id) != 64 or not set(campaign_id) <= set("0123456789abcdef"):
                raise RefusedError(404, "there is no such campaign")
            found = await self.on_thread(lambda: self.shelf.read(campaign_id))
            if found is None:
                raise RefusedError(404, "there is no such campaign")
            self.shelf.keep(found)
        return found

    def check_admin(self, request: Request) -> None:
        """401 for whoever does not have the admin token."""
        self.check_failures(request)
        shown = bearer(request) or ""
        if not hmac.compare_digest(shown.encode(), self.settings.admin_token.encode()):
            self.failed(request)
            raise unauthorized()

    def credential(self, request: Request) -> Credential:
        """What a person shows, not checked yet; 401 where that is no token."""
        self.check_failures(request)
        shown = tokens.parse(bearer(request) or "")
        if shown is None:
            self.failed(request)
            raise unauthorized()
        return shown

    def count_request(self, digest: bytes) -> None:
        """429 for a token that is used too often. By token, so that nobody uses up what is another's."""
        if not self._requests.take(digest):
            raise busy("too many requests with this token", 1, 429)

    async def authenticate(self, request: Request, ready: Ready, shown: Credential) -> None:
        """401 unless this is the person's token."""
        theirs = await self.read(lambda one: people.is_theirs(one, ready.number, ready.key, shown))
        if not theirs:
            self.failed(request)
            raise unauthorized()

    async def person(self, request: Request, ready: Ready) -> Credential:
        """Who this is, with their token; 401 or 429 otherwise."""
        shown = self.credential(request)
        self.count_request(tokens.digest(ready.key, shown.person, shown.secret))
        await self.authenticate(request, ready, shown)
        return shown

    def failed(self, request: Request, cost: float = 1) -> None:
        """Notes that somebody at this address showed a token that is none."""
        self._failures.take(address(request), cost)

    def check_failures(self, request: Request) -> None:
        """429 for an address that showed too many wrong tokens."""
        if not self._failures.has(address(request)):
            raise busy("too many wrong tokens came from this address", 1, 429)


def bearer(request: Request) -> str | None:
    """The token in the header, if there is one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def of(request: Request) -> Service:
    """The service that a request is to."""
    service: Service = request.app.state.service
    return service


def address(request: Request) -> Hashable:
    """Who is one and the same client."""
    return addresses.network(request.client.host if request.client else "")
