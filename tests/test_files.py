"""A file is the old one or the new one, whatever happens in between."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from hushgraph._files import atomic_write

WRITE_HALF_AND_WAIT = """
import sys, time
from hushgraph._files import atomic_write
with atomic_write(sys.argv[1]) as file:
    file.write(b"half of the new")
    file.flush()
    print("written", flush=True)
    time.sleep(60)
"""


def test_a_file_appears_whole_and_as_readable_as_any_other(tmp_path):
    path, other = tmp_path / "folder" / "file", tmp_path / "other"
    with atomic_write(path) as file:
        file.write(b"new")
        assert not path.exists()
    other.write_bytes(b"")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode == other.stat().st_mode


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def break_off():
        with atomic_write(path) as file:
            file.write(b"half")
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        break_off()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_kill_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    command = [sys.executable, "-c", WRITE_HALF_AND_WAIT, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"written\n"
        writer.send_signal(signal.SIGKILL)
    assert path.read_bytes() == b"old"
