"""A browser, a collector and campaigns in it, for the tests of the pages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.collector_pages.running import Asked, Collector, running
from tests.collector_pages.visits import Visits

import hushgraph as hg

HERE = Path(__file__).parent
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def unavailable(reason: str) -> None:
    if os.environ.get("HUSHGRAPH_BROWSER_TESTS") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser():
    chromium = shutil.which("chromium")
    if chromium is None:
        unavailable("chromium is not installed (Debian: apt install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        unavailable("playwright is not installed (pip install playwright)")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory) -> str:
    """The text of axe-core, which looks for what people with disabilities would stumble over."""
    npm = shutil.which("npm")
    if npm is None:
        unavailable("npm is not installed (Debian: apt install npm)")
    folder = tmp_path_factory.mktemp("axe")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        unavailable(f"npm cannot install axe-core: {done.stderr[-300:]}")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def collector(tmp_path_factory):
    with running(tmp_path_factory.mktemp("collector")) as collector:
        yield collector


@pytest.fixture
def visits(browser, collector: Collector):
    """Opens pages, each device being a browser of its own; in the end, nothing must have complained."""
    visits = Visits(browser, collector.address)
    yield visits
    visits.close()
    assert visits.complaints == []
    assert {re.match(r"\w+://[^/]*", url)[0] for url in visits.urls} <= {collector.address}


@pytest.fixture
def asked(collector: Collector) -> Asked:
    """Three numbers and a label, each with levels to choose from."""
    return collector.campaign(
        classes=["Painting", "Xylophone", "Cycling"],
        num_features=3,
        feature_names=["hours outside", "cups of coffee", "likes dogs"],
        ranges=[(0, 24), (0, 12), (0, 1)],
        features=[hg.MultiBit(0.5), hg.MultiBit(2.0)],
        labels=[hg.RandomizedResponse(1.0), hg.RandomizedResponse(2.0)],
    )


@pytest.fixture
def large(collector: Collector) -> Asked:
    """More numbers than there are fields, more classes than there are buttons, and a list of friends."""
    return collector.campaign(
        classes=[f"class {number}" for number in range(12)],
        num_features=30,
        features=hg.MultiBit(1.0),
        labels=hg.RandomizedResponse(1.0),
        lists=hg.AdjacencyRandomizedResponse(4.0),
    )
