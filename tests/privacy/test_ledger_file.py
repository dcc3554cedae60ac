"""A ledger in a file: it remembers, it is refused if it is not one, and processes share it safely."""

import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from hushgraph import _sqlite_file
from hushgraph.privacy import BudgetExceededError, Guarantee, Ledger
from hushgraph.privacy.ledger_file import LEDGER, new_ledger

TABLES = f"PRAGMA application_id = {LEDGER.application}; PRAGMA user_version = 1; {LEDGER.tables}"
ONE = Guarantee("features", 1.0)

SPENDER = """
import sys
from hushgraph.privacy import BudgetExceededError, Guarantee, Ledger

ledger, price, people = Ledger.open(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
while True:
    try:
        ledger.spend_all([("a", Guarantee("x", price), range(people)), ("b", Guarantee("x", price), [0])])
    except BudgetExceededError:
        break
    print("paid", flush=True)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "our ledger?.db"


def spender(path, price, people):
    """Another process that spends as long as it may, once it is told to begin."""
    words = [sys.executable, "-c", SPENDER, str(path), str(price), str(people)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    return process


def begin(process):
    process.stdin.write("\n")
    process.stdin.flush()


def test_what_was_spent_is_remembered_with_its_limit(path):
    Ledger(2.0, 1e-5, path).spend("spring", Guarantee("x", 1.5, 1e-6), ["ann"])
    for again in (Ledger.open(path), Ledger(2.0, 1e-5, str(path))):
        assert (again.epsilon, again.delta, again.path) == (2.0, 1e-5, path)
        assert again.spent("ann") == (1.5, 1e-6)
        assert [entry.what for entry in again.entries] == ["spring"]
        with pytest.raises(BudgetExceededError, match=r"epsilon 2\.5 > 2 for person ann"):
            again.spend("summer", ONE, ["ann"])
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("limit", [(3.0, 1e-5), (2.0,), (2.0, 1e-6)])
def test_another_limit_is_refused(path, limit):
    Ledger(2.0, 1e-5, path)
    with pytest.raises(
        ValueError, match="has the limit epsilon 2 and delta 1e-05 for each person, not epsilon"
    ):
        Ledger(*limit, path=path)
    assert Ledger.open(path).delta == 1e-5


def test_a_ledger_that_is_not_there_is_not_made_by_opening(path):
    with pytest.raises(FileNotFoundError, match="there is no ledger"):
        Ledger.open(path)
    ledger = Ledger(2.0, path=path)
    path.unlink()
    with pytest.raises(FileNotFoundError, match="there is no ledger"):
        ledger.spend("x", ONE, ["ann"])
    assert not path.exists()


def sqlite_file(path, script):
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return path.read_bytes()


def truncated(path, pages):
    Ledger(2.0, path=path).spend("x", ONE, range(5000))
    return path.read_bytes()[: int(pages * 4096)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda path: b"", "is not a ledger"),
        (lambda path: b"person,spent\nann,1\n" * 1000, "is not a readable ledger"),
        (lambda path: b"short", "is not a readable ledger"),
        (lambda path: truncated(path, 3), "is not a readable ledger"),
        (lambda path: truncated(path, 0.5), "is not a readable ledger"),
        (lambda path: sqlite_file(path, "CREATE TABLE people (id)"), "is not a ledger"),
        (lambda path: sqlite_file(path, "PRAGMA journal_mode = WAL; CREATE TABLE x (id)"), "is not a ledger"),
        (
            lambda path: sqlite_file(path, f"PRAGMA application_id = {LEDGER.application}"),
            "is a ledger of format 0, but this version reads 1",
        ),
        (
            lambda path: sqlite_file(path, TABLES + "PRAGMA user_version = 2"),
            "is a ledger of format 2, but this version reads 1",
        ),
        (
            lambda path: sqlite_file(path, TABLES + "DROP TABLE budget"),
            "is not a readable ledger: no such table",
        ),
    ],
    ids=["empty", "garbage", "short", "truncated", "half a page", "other", "WAL", "old", "new", "torso"],
)  # fmt: skip
def test_what_is_no_ledger_is_refused_in_one_line_and_not_changed(path, content, message):
    content = content(path)
    path.write_bytes(content)
    for opening in (Ledger.open, lambda path: Ledger(2.0, path=path)):
        with pytest.raises(ValueError, match=message) as refusal:
            opening(path)
        assert "\n" not in str(refusal.value)
        assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_folder_is_no_ledger(tmp_path):
    with pytest.raises(OSError, match="cannot be used"):
        Ledger.open(tmp_path)


def test_processes_that_spend_at_once_never_overspend_together(path):
    Ledger(10.0, path=path)
    processes = [spender(path, 0.25, 20) for _ in range(3)]
    for process in processes:
        begin(process)
    paid = [process.communicate(timeout=120)[0].count("paid") for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    ledger = Ledger.open(path)
    assert sum(paid) == 20
    assert ledger.spent(0) == (10.0, 0.0)
    assert [ledger.spent(one) for one in range(1, 20)] == [(5.0, 0.0)] * 19
    assert [entry.what for entry in ledger.entries] == ["a", "b"] * 20


def test_a_kill_at_any_moment_leaves_all_of_a_spending_or_nothing(path):
    Ledger(1e9, path=path)
    told = 0
    for number in range(8):
        process = spender(path, 1.0, 3000)
        begin(process)
        assert process.stdout.readline() == "paid\n"
        time.sleep(0.005 + 0.0037 * number)
        process.send_signal(signal.SIGKILL)
        told += 1 + process.communicate(timeout=60)[0].count("paid")
        ledger = Ledger.open(path)
        entries = ledger.entries
        rounds, rest = divmod(len(entries), 2)
        assert rest == 0
        assert [(entry.what, entry.people) for entry in entries] == [("a", 3000), ("b", 1)] * rounds
        assert ledger.spent(0) == (2.0 * rounds, 0.0)
        assert {ledger.spent(one) for one in (1, 1500, 2999)} == {(float(rounds), 0.0)}
        assert told <= rounds <= told + number + 1


# A small cache makes SQLite write to the file before the end, as a large spending would.
HALF_DONE = """
import os, signal, sys
from hushgraph.privacy import Ledger

with Ledger.open(sys.argv[1])._file.transaction(keep=True) as connection:
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("UPDATE people SET epsilon = 2")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_kill_left_half_done_is_undone_by_the_next_who_opens(path):
    Ledger(2.0, path=path).spend("before", ONE, range(5000))
    killed = subprocess.run([sys.executable, "-c", HALF_DONE, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert path.with_name(f"{path.name}-journal").exists()
    ledger = Ledger.open(path)
    assert ledger.most_spent == (1.0, 0.0)
    ledger.spend("after", ONE, range(5000))
    assert ledger.most_spent == (2.0, 0.0)


def test_a_busy_ledger_is_waited_for_and_then_said_to_be_busy(path, monkeypatch):
    ledger = Ledger(2.0, path=path)
    monkeypatch.setattr(_sqlite_file, "PATIENCE", 0.2)
    with ledger._file.transaction(keep=True):
        begun = time.monotonic()
        with pytest.raises(TimeoutError, match=r"is busy: others have been writing for 0\.2 s"):
            Ledger.open(path).spend("x", ONE, ["ann"])
        assert time.monotonic() - begun > 0.15
        assert ledger.entries == []
    ledger.spend("x", ONE, ["ann"])


def test_a_ledger_that_may_not_be_written_is_not_spent_from(path):
    ledger = Ledger(2.0, path=path)
    path.chmod(0o400)
    if os.access(path, os.W_OK):
        pytest.skip("this user may write everything")
    with pytest.raises(OSError, match="cannot be used"):
        ledger.spend("x", ONE, ["ann"])
    assert ledger.spent("ann") == (0.0, 0.0)


def test_two_who_make_the_same_ledger_share_the_first(path):
    first = Ledger(2.0, path=path)
    first.spend("x", ONE, ["ann"])
    assert new_ledger(path, 2.0, 0.0).path == path
    assert Ledger.open(path).spent("ann") == (1.0, 0.0)


def test_a_commit_is_on_disk_before_it_returns(path):
    with Ledger(2.0, path=path)._file.transaction(keep=False) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (3,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


@pytest.mark.slow
def test_a_million_people_pay_within_seconds(path):
    ledger, begun = Ledger(2.0, path=path), time.process_time()
    everybody = [f"user-{number * 7919 % 10**6:06}" for number in range(10**6)]
    for _ in range(2):
        ledger.spend("x", ONE, everybody)
    with pytest.raises(BudgetExceededError) as refusal:
        ledger.spend("x", ONE, everybody)
    assert len(str(refusal.value)) < 200
    assert time.process_time() - begun < 60
    assert (ledger.people, ledger.most_spent) == (10**6, (2.0, 0.0))
