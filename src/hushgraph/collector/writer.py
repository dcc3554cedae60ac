"""The one thread of a process that writes: everything that waits goes into one transaction (group commit).

Nothing is acknowledged before its COMMIT has returned, and a transaction that fails fails all that was in it.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from hushgraph.collector import logs, rounds
from hushgraph.collector.refusals import busy
from hushgraph.collector.submissions import Submission

MOST_IN_A_ROUND = 20_000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Waiting:
    submission: Submission
    answer: asyncio.Future[list[int]]


@dataclass(frozen=True, slots=True)
class _Job:
    work: Callable[[Connection], Any]
    result: Future[Any]


class Writer:
    """Takes submissions from the event loop and jobs from any thread.

    Args:
        engine: where to write.
        statements: how, in this kind of database.
        most_reports, most_bytes: how much may wait.
        on_round: told how many reports a round had and how many seconds it took.
    """

    def __init__(
        self,
        engine: Engine,
        statements: rounds.Statements,
        most_reports: int,
        most_bytes: int,
        on_round: Callable[[int, float], None] = lambda reports, seconds: None,
    ) -> None:
        self._engine, self._statements, self._on_round = engine, statements, on_round
        self._most_reports, self._most_bytes = most_reports, most_bytes
        self._queue: queue.SimpleQueue[_Waiting | _Job | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = False
        # Touched by the event loop alone.
        self.waiting_reports = self.waiting_bytes = 0
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)

    @property
    def alive(self) -> bool:
        """Whether what is submitted now will be written."""
        return self._thread.is_alive() and not self._stopping

    def start(self) -> None:
        """Starts the thread; called on the event loop that submissions come from."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def stop(self) -> None:
        """Writes what waits, then ends; called on a thread that is not the event loop's."""
        self._stopping = True
        self._queue.put(None)
        self._thread.join()
        # Whoever was past the check when stopping began.
        waiting, jobs, _ = self._taken() if not self._queue.empty() else ([], [], True)
        if waiting and self._loop is not None:
            self._loop.call_soon_threadsafe(self._deliver, waiting, None)
        for job in jobs:
            job.result.set_exception(busy("the collector is stopping", 5))

    async def submit(self, submission: Submission) -> list[int]:
        """The status of each report, once it is on disk; refused where too much waits or writing failed."""
        assert self._loop is not None
        reports, size = len(submission.people), submission.size
        if not self.alive:
            raise busy("the collector is stopping", 5)
        if (
            self.waiting_reports + reports > self._most_reports
            or self.waiting_bytes + size > self._most_bytes
        ):
            raise busy("too many reports are waiting to be written")
        answer: asyncio.Future[list[int]] = self._loop.create_future()
        self.waiting_reports += reports
        self.waiting_bytes += size
        self._queue.put(_Waiting(submission, answer))
        # Whoever goes away meanwhile does not take the report with them.
        return await asyncio.shield(answer)

    def run(self, work: Callable[[Connection], Any]) -> Future[Any]:
        """Runs something else in a transaction of its own, between rounds."""
        result: Future[Any] = Future()
        if self.alive:
            self._queue.put(_Job(work, result))
        else:
            result.set_exception(busy("the collector is stopping", 5))
        return result

    def _run(self) -> None:
        stopping = False
        try:
            while not stopping:
                waiting, jobs, stopping = self._taken()
                if waiting:
                    self._round(waiting)
                for job in jobs:
                    self._do(job)
        finally:
            self._disconnect()

    def _taken(self) -> tuple[list[_Waiting], list[_Job], bool]:
        """All that is in the queue, or as much as one round may have; waits for something to come."""
        waiting: list[_Waiting] = []
        jobs: list[_Job] = []
        reports = 0
        item = self._queue.get()
        while True:
            if item is None:
                return waiting, jobs, True
            if isinstance(item, _Job):
                jobs.append(item)
            else:
                waiting.append(item)
                reports += len(item.submission.people)
            if reports >= MOST_IN_A_ROUND:
                return waiting, jobs, False
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return waiting, jobs, False

    def _round(self, waiting: list[_Waiting]) -> None:
        submissions = [one.submission for one in waiting]
        began = time.perf_counter()
        outcomes: rounds.Outcomes | None = None
        try:
            outcomes = self._transaction(
                lambda connection: rounds.decide(connection, self._statements, submissions)
            )
            self._on_round(sum(len(one.people) for one in submissions), time.perf_counter() - began)
        except Exception as error:
            logs.problem("a round was not written", error)
        assert self._loop is not None
        # The loop is gone where a process ends in haste; nobody is left to be told.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._deliver, waiting, outcomes)

    def _deliver(self, waiting: list[_Waiting], outcomes: rounds.Outcomes | None) -> None:
        for place, one in enumerate(waiting):
            self.waiting_reports -= len(one.submission.people)
            self.waiting_bytes -= one.submission.size
            if one.answer.cancelled():
                continue
            if outcomes is None:
                one.answer.set_exception(busy("it could not be written: send it again"))
            else:
                one.answer.set_result(outcomes[place])

    def _do(self, job: _Job) -> None:
        if not job.result.set_running_or_notify_cancel():
            return
        try:
            job.result.set_result(self._transaction(job.work))
        except Exception as error:
            job.result.set_exception(error)

    def _transaction(self, work: Callable[[Connection], T]) -> T:
        """What the work returns, once it is on disk."""
        try:
            if self._connection is None:
                self._connection = self._engine.connect().execution_options(writes=True)
            with self._connection.begin():
                return work(self._connection)
        except SQLAlchemyError:
            self._disconnect()
            raise

    def _disconnect(self) -> None:
        """The next transaction begins on another connection."""
        if self._connection is not None:
            with suppress(SQLAlchemyError):
                self._connection.close()
            self._connection = None
