"""What the README shows is what happens."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

import hushgraph as hg

README = Path(__file__).parent.parent / "README.md"


@pytest.mark.skipif(not os.environ.get("HUSHGRAPH_DATA"), reason="HUSHGRAPH_DATA names no folder with Cora")
def test_the_first_example_prints_what_stands_below_it(capsys):
    code, printed = re.search(
        r"```python\n(import.*?)```\n\n```\n(.*?)```", README.read_text(), re.S
    ).groups()
    found = {}
    exec(compile(code, "README.md", "exec"), found)
    *statement, estimate, accuracy = capsys.readouterr().out.rstrip().split("\n")
    *expected, expected_estimate, expected_accuracy = printed.rstrip().split("\n")
    assert statement == expected
    # Other processors round differently, which may carry into the second digit.
    estimate, expected_estimate = (
        [float(number) for number in re.findall(r"[\d.]+", line)] for line in (estimate, expected_estimate)
    )
    assert estimate == pytest.approx(expected_estimate, abs=3)
    assert float(accuracy) == pytest.approx(float(expected_accuracy.strip("…")), abs=0.03)

    # The network beside it, on the same reports of labels.
    ((code, expected_accuracy),) = re.findall(
        r"```python\n(both = .*?)  # (0\.\d+)…\n```", README.read_text(), re.S
    )
    exec(compile(code, "README.md", "exec"), found)
    assert (found["both"].labels == found["collected"].labels).all()
    assert float(capsys.readouterr().out) == pytest.approx(float(expected_accuracy), abs=0.03)


def test_the_example_with_private_friendships_runs():
    (code,) = re.findall(r"```python\n(collected = hg.collect.*?)```", README.read_text(), re.S)
    graph = hg.datasets.load("social", n=200, features=20)
    split = hg.random_split(graph, train=0.5, val=0.25, seed=0)
    exec(compile(code, "README.md", "exec"), {"np": np, "hg": hg, "graph": graph, "split": split})


def test_the_example_with_ones_own_people_runs(capsys):
    (code,) = re.findall(r"```python\n(# Both sides share.*?)```", README.read_text(), re.S)
    found = {"np": np, "hg": hg}
    exec(compile(code, "README.md", "exec"), found)
    assert "ε = 3, proven" in capsys.readouterr().out
    assert found["model"].ids_.tolist() == ["ann", "bo", "cy", "di"]
    assert found["collected"].refused == ()


def test_the_example_with_a_ledger_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(ledger = hg.Ledger.*?)```", README.read_text(), re.S)
    campaign = hg.Campaign(
        classes=["calm", "merry"],
        num_features=3,
        features=hg.MultiBit(1.0),
        labels=hg.RandomizedResponse(2.0),
    )
    exec(compile(code, "README.md", "exec"), {"hg": hg, "campaign": campaign})
    assert hg.Ledger.open("people.ledger").remaining("di") == 1.0


def test_the_example_with_a_curator_runs():
    (code,) = re.findall(r"```python\n(split = hg.random_split.*?)```", README.read_text(), re.S)
    graph = hg.datasets.load("social", n=200, features=20)
    exec(compile(code, "README.md", "exec"), {"hg": hg, "graph": graph})


def test_the_example_with_a_device_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(device = hg.Reporter.*?)```", README.read_text(), re.S)
    (asked,) = re.findall(r"(campaign = hg.Campaign\(\n.*?\n\))\n", README.read_text(), re.S)
    found = {"hg": hg}
    exec(compile(asked + "\n" + code, "README.md", "exec"), found)
    assert len(found["record"].body) == 9
    assert found["device"].spent == (1.5, 0.0)
