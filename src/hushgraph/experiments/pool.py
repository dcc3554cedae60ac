"""Worker processes that take runs one after another; one that dies costs no more than its run."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import connection
from pathlib import Path
from typing import Any

from hushgraph import registry
from hushgraph.experiments.environment import environment
from hushgraph.experiments.runs import Run, perform
from hushgraph.experiments.store import Result, ResultStore

REPORTS = 20


@dataclass(frozen=True, slots=True)
class Advanced:
    """A run is this far."""

    run: Run
    share: float


@dataclass(frozen=True, slots=True)
class Finished:
    """A run is done and stored."""

    run: Run
    result: Result


@dataclass(frozen=True, slots=True)
class Failed:
    """A run could not be done."""

    run: Run
    reason: str


Event = Advanced | Finished | Failed


@dataclass(frozen=True, slots=True)
class Work:
    """What every worker is told once."""

    folder: Path
    settings: dict[str, str]
    root: Path | None
    device: str
    modules: tuple[str, ...] = ()


def perform_all(groups: Sequence[Sequence[Run]], work: Work, jobs: int) -> Iterator[Event]:
    """Performs all runs in ``jobs`` processes and tells what happens.

    Runs of a group go to one worker, as long as there are groups enough; then half of the longest is shared.
    """
    waiting = deque(deque(group) for group in groups if group)
    workers: list[_Worker] = []

    def next_group() -> deque[Run]:
        if waiting:
            return waiting.popleft()
        longest = max((worker.group for worker in workers), key=len, default=deque[Run]())
        return deque(longest.pop() for _ in range(len(longest) // 2))

    try:
        while len(workers) < jobs and (group := next_group()):
            workers.append(_Worker(work, group))
        while workers:
            for ready in connection.wait([worker.pipe for worker in workers]):
                worker = next(worker for worker in workers if worker.pipe is ready)
                event = worker.receive()
                yield event
                if isinstance(event, Advanced):
                    continue
                worker.group.popleft()
                worker.group = worker.group or next_group()
                if worker.group and worker.process.is_alive():
                    worker.start_next()
                    continue
                worker.stop()
                workers.remove(worker)
                if worker.group:
                    workers.append(_Worker(work, worker.group))
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process, the pipe to it, and the runs it has still to do; the first of them is under way."""

    def __init__(self, work: Work, group: deque[Run]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, work), daemon=True)
        with _interrupts_held():  # Ctrl-C is for the runner: its workers are stopped by it.
            self.process.start()
        theirs.close()
        self.group = group
        self.start_next()

    def start_next(self) -> None:
        with contextlib.suppress(OSError):  # It has died: receive() says so.
            self.pipe.send(self.group[0])

    def receive(self) -> Event:
        run = self.group[0]
        try:
            event: Event = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            return Failed(run, f"its process ended with {_ending(self.process.exitcode)}")
        return event

    def stop(self) -> None:
        self.process.terminate()
        self.process.join()
        self.pipe.close()


def _serve(pipe: connection.Connection[Any, Any], work: Work) -> None:
    end_with_parent()
    registry.import_modules(work.modules)
    results = ResultStore(work.folder, work.settings)
    while True:
        run: Run = pipe.recv()
        told = 0

        def progress(share: float, run: Run = run) -> None:
            nonlocal told
            if int(share * REPORTS) > told:
                told = int(share * REPORTS)
                pipe.send(Advanced(run, share))

        try:
            outcome = perform(run, work.root, work.device, progress)
            result = Result(outcome, environment(work.device if run.study.uses_device else "cpu"))
            results.put(run, result)
            event: Event = Finished(run, result)
        except Exception as error:  # whatever it is, the other runs go on
            last = traceback.extract_tb(error.__traceback__)[-1]
            event = Failed(
                run, f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"
            )
        pipe.send(event)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Holds back SIGINT here; a process that is started meanwhile never gets it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """From now on this process ends when its parent does: a killed one must not leave its workers behind."""
    threading.Thread(target=_wait_for_the_end, daemon=True).start()


def _wait_for_the_end() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        return f"signal {signal.Signals(-code).name}, as when memory runs out"
    return f"exit status {code}"
