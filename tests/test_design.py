"""The design names files that exist, and the way to a fit is short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent.parent
SOURCE = HERE / "src" / "hushgraph"
DESIGN = (HERE / "docs" / "design.md").read_text(encoding="utf-8")
FILES = sorted(set(re.findall(r"`([a-z_]+/[a-z_/]+\.(?:py|toml))`", DESIGN)))


@pytest.mark.parametrize("name", FILES)
def test_every_file_that_the_design_names_is_there(name):
    assert (SOURCE / name).is_file() or (HERE / name).is_file()


@pytest.mark.parametrize("what", ["LPGNN.fit", "Cascade.fit", "GAP.fit"])
def test_a_fit_is_understood_from_a_dozen_files(what):
    (line,) = [line for line in DESIGN.splitlines() if line.startswith(f"| `{what}`")]
    assert 5 < len(re.findall(r"\.py`", line)) <= 12


def test_the_picture_of_the_house_is_shown():
    assert "](house.png)" in DESIGN
    assert (HERE / "docs" / "house.png").is_file()
