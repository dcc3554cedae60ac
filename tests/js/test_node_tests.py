"""The JavaScript client's own tests."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

CLIENT = Path(__file__).parents[2] / "clients" / "js"


@pytest.mark.slow
def test_the_clients_own_tests_pass(node):
    files = sorted(CLIENT.glob("test/*.test.js"))
    assert len(files) >= 7
    ran = subprocess.run(
        [node, "--test", *map(str, files)], cwd=CLIENT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr[-2000:]
    (passed,) = re.findall(r"^. pass (\d+)$", ran.stdout, re.MULTILINE)
    assert int(passed) >= 100


def test_the_package_needs_nothing_else():
    package = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))
    assert (package["name"], package["type"]) == ("hushgraph", "module")
    assert not package.keys() & {
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
    }
    for exported in package["exports"].values():
        assert all((CLIENT / file).is_file() for file in exported.values())
    # What a browser loads imports files of its own, and nothing of node.
    for file in CLIENT.glob("src/**/*.js"):
        imported = re.findall(r'from "([^"]+)"', file.read_text(encoding="utf-8"))
        allowed = ("./", "../", "node:") if file.name == "folder.js" else ("./", "../")
        assert all(name.startswith(allowed) for name in imported), file
