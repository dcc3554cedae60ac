"""Node, for what the JavaScript client is tested with from here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

OLDEST = 20


@pytest.fixture(scope="session")
def node() -> str:
    """The program; without one that is new enough, tests are skipped, or fail if they are required."""
    found = shutil.which("node") or shutil.which("nodejs")
    why = "there is no node in the path"
    if found is not None:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        version = re.match(r"v(\d+)\.", said)
        if version and int(version[1]) >= OLDEST:
            return found
        why = f"node {OLDEST} or newer is needed, and there is {said.strip()}"
    if os.environ.get("HUSHGRAPH_NODE_TESTS") == "required":
        pytest.fail(why)
    pytest.skip(why)
