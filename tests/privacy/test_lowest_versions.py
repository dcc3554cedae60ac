"""The accountants of the lowest versions that pyproject.toml allows are right; one below them was not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
CHECK = "from hushgraph.privacy.accountant_check import check_accountants; check_accountants()"


def lowest():
    """As pip takes them: ``dp-accounting==0.5``, …"""
    with (PROJECT / "pyproject.toml").open("rb") as file:
        needed = tomllib.load(file)["project"]["optional-dependencies"]["curator"]
    return [re.sub(r">=([\d.]+).*", r"==\1", one) for one in needed if not one.startswith("hushgraph")]


@pytest.fixture(scope="module")
def python_with(tmp_path_factory):
    """Runs python with these packages before those that are installed."""

    def run(packages, *words):
        folder = tmp_path_factory.mktemp("packages")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
        installed = subprocess.run([*pip, *packages], capture_output=True, text=True, check=False)
        if installed.returncode:
            pytest.skip(f"{', '.join(packages)} cannot be installed here: {installed.stderr.strip()[-200:]}")
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
        command = [sys.executable, *words]
        return subprocess.run(
            command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_the_lowest_allowed_versions_account_rightly(python_with):
    assert len(lowest()) == 2
    tests = ["tests/privacy/test_accounting.py", "tests/curator/test_dp_sgd.py"]
    done = python_with(lowest(), "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_version_that_halves_the_noise_is_refused_before_anything_is_released(python_with):
    done = python_with(["dp-accounting==0.4.4"], "-c", CHECK)
    assert done.returncode == 1
    assert "CalibrationError: accounting by PLD is wrong for node-replacement" in done.stderr
