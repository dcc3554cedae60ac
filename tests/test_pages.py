"""The pages of docs/results are what their figures make them."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest
from docs.pages import PAGES, render
from docs.pages.kept import RESULTS

from hushgraph.experiments.declared import packaged

ROOT = Path(__file__).parents[1]


@pytest.fixture(params=PAGES)
def page(request):
    return request.param


def test_a_page_is_what_the_figures_make_it(page):
    assert (RESULTS / f"{page}.md").read_text(encoding="utf-8") == render(page), "run make pages"


def test_experiments_are_named_as_the_command_names_them(page):
    """Words with a slash are experiments, unless they are paths, targets of links, or in a statement."""
    text = re.sub(r"```text.*?```", "", render(page), flags=re.DOTALL)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    named = set(re.findall(r"(?<![\w/.-])[a-z][\w-]*/[a-z][\w/.-]*", text))
    experiments = {name for name in named if "." not in name and not name.startswith("docs/")}
    assert experiments <= packaged().keys()
    assert experiments or page in ("README", "speed", "local-attacks", "audits")


def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)]*)\)", render(page)):
        file, _, section = target.partition("#")
        path = RESULTS / file
        assert path.exists(), target
        if section:
            titles = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert section in [title.lower().replace(" ", "-") for title in titles], target


def test_no_cell_with_few_repeats_has_a_verdict(page):
    for line in render(page).splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 9 and cells[2].isdigit() and int(cells[2]) < 5:
            assert set(cells[3:6]) <= {"0", "–"}, line


def test_the_page_of_ballots_has_the_tables_of_its_benchmark():
    """``python benchmarks/ballots.py --output docs/results/ballots.json --show`` prints them."""
    spec = importlib.util.spec_from_file_location("ballots", ROOT / "benchmarks" / "ballots.py")
    assert spec
    assert spec.loader
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    page = (ROOT / "docs" / "ballots.md").read_text(encoding="utf-8")
    measured = json.loads((RESULTS / "ballots.json").read_text(encoding="utf-8"))["rows"]
    for part in ("tables", "chosen"):
        assert benchmark.shown(measured, part) in page


def test_benchmarks_only_measure():
    assert not list((ROOT / "benchmarks").glob("report*"))
