"""Plants bugs in copies of the source and sees which tests notice, each in a process of its own.

What is heavy and not ours is imported once, by the parent. hushgraph and the tests are not: every child
imports them after it was forked, hushgraph from its own copy.
"""

from __future__ import annotations

import compileall
import gc
import importlib
import json
import multiprocessing
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.bug import Bug

HERE = Path(__file__).parent.parent
SOURCE = HERE / "src" / "hushgraph"
HEAVY = (
    "numpy", "scipy.sparse", "scipy.stats", "torch", "torch_geometric", "opacus.grad_sample",
    "opacus.optimizers", "dp_accounting.pld.privacy_loss_distribution", "dp_accounting.rdp", "networkx",
    "matplotlib.pyplot", "jinja2", "rich.table", "typer.testing", "hypothesis", "pytest", "_pytest.doctest",
    "fastapi", "uvicorn", "sqlalchemy", "alembic", "httpx",
)  # fmt: skip
# Seconds that the tests of a bug may take; none needs more than a few.
LIMIT = 120.0
# A planted line that cannot run is a mistake in the bug, and it takes no test to see that.
CRASHES = ("NameError", "SyntaxError", "ImportError", "ModuleNotFoundError", "AttributeError")


@dataclass(frozen=True)
class Outcome:
    """How the tests ended: pytest's exit code (None if they had to be stopped) and the first that failed."""

    code: int | None
    seconds: float
    failed: str = ""
    why: str = ""

    @property
    def verdict(self) -> str:
        """A bug is caught by a test that fails: not by one that cannot be read, found or ended."""
        if self.code == 1 and self.failed and not self.why.startswith(CRASHES):
            return "caught"
        return {None: "HUNG", 0: "PASSED"}.get(self.code, "BROKEN")


def out_of_date(bugs: Sequence[Bug]) -> list[str]:
    """What is wrong with the bugs as they are written, before any is planted."""
    names = Counter(bug.name for bug in bugs)
    faults = [f"{name}: {count} bugs have this name" for name, count in names.items() if count > 1]
    for bug in bugs:
        count = _text(SOURCE / bug.file).count(bug.before)
        if count != 1:
            faults.append(
                f"{bug.name}: {bug.file} must have this once and has it {count} times: {bug.before}"
            )
        faults += [f"{bug.name}: there is no test {test}" for test in bug.named if not _exists(test)]
    return faults


def _exists(test: str) -> bool:
    file, _, function = test.partition("::")
    named = re.escape(function.partition("[")[0])
    return (HERE / file).exists() and (not function or bool(re.search(rf"def {named}\(", _text(HERE / file))))


def red(bugs: Sequence[Bug]) -> list[str]:
    """Of the tests that bugs name, those that fail where nothing is planted: they would catch everything."""
    files: dict[str, list[str]] = {}
    for test in dict.fromkeys(test for bug in bugs for test in bug.named):
        files.setdefault(test.partition("::")[0], []).append(test)
    found = zip(files, outcomes([(None, tests) for tests in files.values()]), strict=True)
    return [f"{one.failed or file} {one.why}" for file, one in found if one.code != 0]


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def outcomes(planted: Sequence[tuple[Bug | None, Sequence[str]]]) -> Iterator[Outcome]:
    """What becomes of the tests with each bug (None: as the source is), in this order, on all cores."""
    _import_heavy()
    forked = multiprocessing.get_context("fork")
    running: dict[BaseProcess, tuple[int, float, Path]] = {}
    ended: dict[int, Outcome] = {}
    waiting = list(enumerate(planted))[::-1]
    told = 0
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        shutil.copytree(SOURCE.parent, whole)
        compileall.compile_dir(whole, quiet=1)
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                place, (bug, tests) = waiting.pop()
                own = Path(folder) / str(place)
                process = forked.Process(target=_child, args=(bug, tests, whole, own))
                process.start()
                running[process] = place, time.monotonic(), own
            connection.wait([process.sentinel for process in running], timeout=0.5)
            for process, (place, start, own) in list(running.items()):
                seconds = time.monotonic() - start
                if process.is_alive() and seconds < LIMIT:
                    continue
                ended[place] = _ended(process, seconds, own)
                del running[process]
            while told in ended:
                yield ended[told]
                told += 1


def _ended(process: BaseProcess, seconds: float, own: Path) -> Outcome:
    hung = process.is_alive()
    if hung and process.pid:
        # Its tests may have started processes, which are of its group.
        os.killpg(process.pid, signal.SIGKILL)
    process.join()
    told = _text(own / "outcome.json")
    found = Outcome(seconds=seconds, **json.loads(told) if told else {"code": process.exitcode})
    output = _text(own / "output").strip()
    shutil.rmtree(own, ignore_errors=True)
    return replace(found, code=None if hung else found.code, why=found.why or output.rpartition("\n")[2])


def _import_heavy() -> None:
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    for name in HEAVY:
        importlib.import_module(name)
    importlib.import_module("torch").set_num_threads(1)
    assert "hushgraph" not in sys.modules
    # What was imported lives as long as the process: children need not look through it for garbage, which
    # took most of the time of a short test.
    gc.freeze()


def _child(bug: Bug | None, tests: Sequence[str], whole: Path, own: Path) -> None:
    os.setsid()
    copy = own / "src"
    # Links: to write the files again would take longer than most tests do. The planted one is its own.
    shutil.copytree(whole, copy, copy_function=os.link)
    if bug is not None:
        file = copy / "hushgraph" / bug.file
        planted = file.read_text(encoding="utf-8").replace(bug.before, bug.after)
        file.unlink()
        file.write_text(planted, encoding="utf-8")
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            compiled.unlink()
    with (own / "output").open("w", encoding="utf-8") as output:
        for stream in (1, 2):
            os.dup2(output.fileno(), stream)
    os.chdir(HERE)
    os.environ |= {"PYTHONPATH": str(copy), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    sys.path[:0] = [str(copy), str(HERE)]
    record = _Record()
    # Folders of its own: processes that number theirs side by side disturb each other.
    folders = f"--basetemp={own / 'folders'}"
    code = importlib.import_module("pytest").main(
        ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", folders, *tests], plugins=[record]
    )
    assert Path(sys.modules["hushgraph"].__file__ or "").is_relative_to(copy), "hushgraph is not the copy"
    (own / "outcome.json").write_text(
        json.dumps({"code": int(code), "failed": record.failed, "why": record.why}), encoding="utf-8"
    )


class _Record:
    """A plugin of pytest that keeps the first test that failed by itself, not by what it was given."""

    failed = why = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.why:
            self.failed = report.nodeid if report.when == "call" else ""
            crash = getattr(report.longrepr, "reprcrash", None)
            self.why = crash.message if crash else str(report.longrepr)
