"""Who does which run, and what a failure costs; with threads in the place of processes, so that it is quick.

That real processes can be killed, and end with the runner, stands in test_runner.py.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing import connection

import pytest

from hushgraph.experiments import pool
from hushgraph.experiments.runs import Run
from hushgraph.experiments.store import ResultStore
from hushgraph.experiments.studies.study import Outcome
from hushgraph.privacy import Guarantee

# What a test waits for another thread, seconds.
PATIENCE = 30


class Killed(BaseException):
    """As if the system had killed the process."""


class ThreadAsProcess:
    """Runs a worker here, with its own end of the pipe; it is killed by raising :class:`Killed`."""

    def __init__(self, target, args, daemon):
        pipe, work = args
        self.pipe = connection.Connection(os.dup(pipe.fileno()))
        self.exitcode = None
        self.thread = threading.Thread(target=self._run, args=(target, work), daemon=daemon)

    def _run(self, target, work):
        try:
            target(self.pipe, work)
        except Killed:
            self.exitcode = -9
        except (EOFError, OSError):  # The runner has closed its end: the worker was stopped.
            self.exitcode = 0
        finally:
            self.pipe.close()

    def start(self):
        self.thread.start()

    def is_alive(self):
        return self.exitcode is None

    def terminate(self):
        """It ends when the runner closes the pipe."""

    def join(self):
        """Whoever closed its end of the pipe has said before with what it ended."""


class Context:
    Process = ThreadAsProcess
    Pipe = staticmethod(multiprocessing.Pipe)


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: Context)
    ResultStore(tmp_path / "out", {}).prepare()
    return pool.Work(tmp_path / "out", {}, None, "cpu")


@pytest.fixture
def doing(monkeypatch):
    """Says what a run does: a function of the run and of what tells its progress."""

    def do(action):
        def perform(run, root, device, progress):
            action(run, progress)
            return Outcome(float(run.seed), 1.0, Guarantee("label", 1.0))

        monkeypatch.setattr(pool, "perform", perform)

    do(lambda *_: None)
    return do


def groups_of(*sizes):
    """Groups of so many runs, whose seeds are numbers of their own."""
    numbers = iter(range(sum(sizes)))
    return [[Run("small", "digest", {"study": "lpgnn"}, next(numbers)) for _ in range(n)] for n in sizes]


def seeds(events, kind):
    return sorted(event.run.seed for event in events if isinstance(event, kind))


@pytest.mark.usefixtures("doing")
@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_every_run_is_done_once_and_stored(work, jobs):
    groups = groups_of(3, 1, 2)
    events = list(pool.perform_all(groups, work, jobs))
    assert seeds(events, pool.Finished) == list(range(6))
    stored = ResultStore(work.folder, work.settings)
    for event in events:
        assert stored.get(event.run) == event.result
        assert event.result.outcome.value == event.run.seed


def test_nothing_to_do_starts_nobody(work, monkeypatch):
    monkeypatch.setattr(pool, "_Worker", None)
    assert list(pool.perform_all([[], []], work, 4)) == []


def test_runs_of_a_group_go_to_one_worker_as_long_as_there_are_groups_enough(work, doing):
    workers = {}
    both = threading.Barrier(2, timeout=PATIENCE)

    def meet(run, _):
        workers[run.seed] = threading.get_ident()
        both.wait()

    doing(meet)
    list(pool.perform_all(groups_of(3, 3), work, 2))
    assert {workers[seed] for seed in (0, 1, 2)}.isdisjoint(workers[seed] for seed in (3, 4, 5))
    assert len(set(workers.values())) == 2


def test_an_idle_worker_takes_half_of_the_longest_group_from_its_end(work, doing):
    workers = {}
    both = threading.Barrier(2, timeout=PATIENCE)

    def meet(run, _):
        workers[run.seed] = threading.get_ident()
        both.wait()

    doing(meet)
    list(pool.perform_all(groups_of(6), work, 2))
    taken = [seed for seed in range(6) if workers[seed] != workers[0]]
    assert taken == [3, 4, 5]


def test_a_run_that_raises_costs_itself_alone_and_says_what_and_where(work, doing):
    def fail(run, _):
        if run.seed == 1:
            raise MemoryError("too large")

    doing(fail)
    events = list(pool.perform_all(groups_of(3), work, 1))
    assert seeds(events, pool.Finished) == [0, 2]
    (failed,) = (event for event in events if isinstance(event, pool.Failed))
    assert failed.run.seed == 1
    assert failed.reason.startswith("MemoryError: too large (test_pool.py, line ")


def test_a_worker_that_dies_costs_its_run_and_another_goes_on_with_the_rest(work, doing):
    workers = {}

    def die(run, _):
        workers[run.seed] = threading.get_ident()
        if run.seed == 1:
            raise Killed

    doing(die)
    events = list(pool.perform_all(groups_of(4), work, 1))
    assert seeds(events, pool.Finished) == [0, 2, 3]
    (failed,) = (event for event in events if isinstance(event, pool.Failed))
    assert failed.reason == "its process ended with signal SIGKILL, as when memory runs out"
    assert ResultStore(work.folder, work.settings).get(failed.run) is None


def test_progress_is_told_in_twentieths_and_before_the_end(work, doing):
    doing(lambda _, progress: [progress(epoch / 1000) for epoch in range(1001)])
    *advanced, finished = pool.perform_all(groups_of(1), work, 1)
    assert isinstance(finished, pool.Finished)
    assert [round(event.share * 20) for event in advanced] == list(range(1, 21))


def test_a_runner_that_is_left_stops_its_workers(work, doing):
    begun = []
    doing(lambda run, _: begun.append(run.seed))
    events = pool.perform_all(groups_of(50), work, 1)
    next(events)
    events.close()
    assert begun == [0]


@pytest.mark.parametrize(
    ("code", "words"),
    [(-15, "signal SIGTERM, as when memory runs out"), (3, "exit status 3"), (None, "exit status None")],
)
def test_the_end_of_a_process_is_told_in_words(code, words):
    assert pool._ending(code) == words
