"""A collector in a process of its own, as it is run for real: to be killed, stopped, and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from tests.collector.playing import ADMIN

COMMAND = [sys.executable, "-c", "from hushgraph.cli import main; main()", "collector"]


class Process:
    """``hushgraph collector serve`` with a log file, on one port for all its lives."""

    def __init__(self, database: str, port: int, log: Path, *words: str) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.log = log
        self.command = [*COMMAND, "serve", "--database", database, "--port", str(port), *words]
        self.process: subprocess.Popen[Any] | None = None

    def start(self) -> None:
        """Returns once it answers."""
        environment = os.environ | {"HUSHGRAPH_ADMIN_TOKEN": ADMIN}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, env=environment)
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"{self.address}/readyz", timeout=5):
                    return
            except OSError:
                assert self.process.poll() is None, self.log.read_text()[-2000:]
                assert time.monotonic() < deadline
                time.sleep(0.02)

    def kill(self) -> None:
        """At once, with nothing finished."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)

    def terminate(self) -> int:
        """As an orchestrator does; its exit status."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(60)

    def end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()
