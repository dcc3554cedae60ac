"""Planted bugs: all can be planted, and those of one kind each are caught; `make planted` plants all."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from tests import planting
from tests.bug import Bug
from tests.planted import BUGS, NAME
from tests.planting import Outcome

# One of each kind: what leaves a device, what is stated, released and priced.
QUICK = [
    "validation labels leave as they are",
    "noise of a device from a fixed seed",
    "both lists of a pair share a coin",
    "Laplace noise is one percent short",
    "a proven promise can be changed by hand",
    "the same noise every step",
    "rows share their noise in pairs",
    "an edge is in one sum",
    "every pair at the whole budget",
]
TEST = "tests/device/test_answering.py::test_a_generator_that_only_looks_secure_makes_a_simulation"
WORDS = Bug("harmless", "device/answering.py", '"""One person', '"""Some person', TEST)


def output_of(code):
    """Of a process that has not imported hushgraph, as forking asks for."""
    words = [sys.executable, "-c", code]
    return subprocess.run(words, cwd=planting.HERE, capture_output=True, text=True, check=False)


def test_every_bug_can_be_planted_today():
    assert planting.out_of_date(BUGS) == []


def test_what_is_out_of_date_is_told_all_at_once():
    faults = planting.out_of_date(
        [
            WORDS,
            WORDS,
            replace(WORDS, name="gone", before="what nobody wrote"),
            replace(WORDS, name="often", before="e"),
            replace(WORDS, name="untested", tests=f"{TEST} {TEST}_too tests/test_nowhere.py"),
        ]
    )
    assert [fault.partition(":")[0] for fault in faults] == [
        "harmless",
        "gone",
        "often",
        "untested",
        "untested",
    ]


def test_tests_are_told_apart_by_spaces_that_do_not_stand_in_brackets():
    several = replace(WORDS, tests="a.py::b[a sign of a million]  c.py\n d.py::e")
    assert several.named == ["a.py::b[a sign of a million]", "c.py", "d.py::e"]


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Outcome(1, 0.1, "a test", "assert 1 == 2"), "caught"),
        (Outcome(1, 0.1, "a test", "NameError: name 'x' is not defined"), "BROKEN"),
        (Outcome(1, 0.1), "BROKEN"),
        (Outcome(0, 0.1), "PASSED"),
        (Outcome(None, 120.0, "a test", "assert 1 == 2"), "HUNG"),
        *((Outcome(code, 0.1), "BROKEN") for code in (2, 3, 4, 5, -9)),
    ],
)
def test_a_bug_is_caught_by_a_test_that_fails_and_by_nothing_else(outcome, verdict):
    assert outcome.verdict == verdict


@pytest.mark.slow
def test_bugs_of_every_kind_are_caught_and_those_that_break_no_promise_are_told():
    found = output_of(
        f"""
import sys
from dataclasses import replace
from tests import planted
from tests.bug import Bug
harmless = {WORDS!r}
planted.BUGS += [
    harmless,
    replace(harmless, name="cannot be read", after="("),
    replace(harmless, name="cannot run", before="source = ", after="source = unknown; source = "),
]
sys.argv[1:] = {[*QUICK, "harmless", "cannot be read", "cannot run"]!r}
planted.main()
"""
    )
    *lines, last = found.stdout.splitlines() or [""]
    assert last == f"{len(QUICK)} of {len(QUICK) + 3} planted bugs are caught", found.stderr
    assert found.returncode == 1
    others = {"harmless": "PASSED", "cannot be read": "BROKEN", "cannot run": "BROKEN"}
    told = {line[8 : 8 + NAME].strip(): line[:8].strip() for line in lines}
    assert told == dict.fromkeys(QUICK, "caught") | others


@pytest.mark.slow
def test_what_hangs_and_what_fails_without_a_bug_catches_nothing():
    found = output_of(
        f"""
from dataclasses import replace
from tests import planting
from tests.bug import Bug
harmless = {WORDS!r}
planting.HEAVY = ("torch", "pytest")
print(planting.red([replace(harmless, tests="{TEST}[no such case]")]))
planting.LIMIT = 2.0
hangs = replace(harmless, before="source = ", after="while True: pass;source = ")
print([one.verdict for one in planting.outcomes([(hangs, hangs.named)])])
"""
    )
    red, hung = found.stdout.splitlines() or ["", found.stderr]
    assert "no match" in red, red
    assert hung == "['HUNG']"
