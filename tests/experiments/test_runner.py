"""The runner: parallel, resumable, and one failure costs one run."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children

import psutil
import pytest
from typer.testing import CliRunner

from hushgraph.cli.app import app
from hushgraph.experiments import declared, runner
from hushgraph.experiments.store import ResultStore

COMMAND = [sys.executable, "-c", "from hushgraph.cli import main; main()"]


def stored(folder):
    return sorted(path.name for path in (folder / "runs").glob("*.json"))


def values(tables):
    return [[result.outcome.value for result in row.results] for table in tables for row in table.rows]


def test_all_runs_are_done_once_and_more_repeats_extend_them(experiment, tmp_path):
    results = ResultStore(tmp_path / "out", {})
    progress = []
    plan = runner.make_plan([experiment], 1)
    found, failures = runner.perform(plan, results, jobs=2, device="cpu", on_progress=progress.append)
    assert failures == {}
    assert len(stored(results.folder)) == len(found) == 4
    assert (progress[0].done, progress[0].runs, progress[0].share) == (0, 4, 0.0)
    assert (progress[-1].done, progress[-1].share) == (4, pytest.approx(1.0))
    shares = [state.share for state in progress]
    assert shares == sorted(shares)

    more = runner.make_plan([experiment], 2)
    extended, _ = runner.perform(more, results, jobs=2, device="cpu", on_progress=progress.append)
    assert progress[-1].runs == 4
    assert {key: extended[key] for key in found} == found
    (table,) = runner.tables(more, extended, {})
    assert [len(row.results) for row in table.rows] == [2] * 4
    assert [row.trouble for row in table.rows] == [""] * 4


def test_cells_that_experiments_share_are_run_once(declaration):
    both = declared.parse(declaration + declaration.replace("mine", "again"), "own", "own.toml")
    plan = runner.make_plan(both, 3)
    assert sum(map(len, plan.runs.values())) == 24
    assert len(plan.distinct) == 12


def test_a_worker_that_dies_costs_its_run_and_no_other(experiment, tmp_path):
    killed = []

    def kill_once(state):
        if not killed and 0 < state.share < 1:
            (worker,) = active_children()
            os.kill(worker.pid, signal.SIGKILL)
            killed.append(worker.pid)

    results = ResultStore(tmp_path / "out", {})
    plan = runner.make_plan([experiment], 1)
    found, failures = runner.perform(plan, results, jobs=1, device="cpu", on_progress=kill_once)
    assert len(failures) == 1
    assert len(found) == 3
    assert "SIGKILL" in next(iter(failures.values()))
    (table,) = runner.tables(plan, found, failures)
    assert sum("1 of 1 runs failed" in row.trouble for row in table.rows) == 1
    again, failures = runner.perform(plan, results, jobs=1, device="cpu")
    assert failures == {}
    assert len(again) == 4


def test_a_run_that_raises_is_reported_and_the_rest_is_finished(experiment, tmp_path):
    results = ResultStore(tmp_path / "out", {})
    plan = runner.make_plan([experiment], 1)
    found, failures = runner.perform(plan, results, jobs=1, device="abacus")
    assert found == {}
    assert len(failures) == 4
    assert all("device must be 'auto', 'cpu'" in reason for reason in failures.values())
    assert not (results.folder / "runs").exists()


def test_a_graph_that_is_not_there_makes_cells_that_say_so(declaration, graph_file, monkeypatch, tmp_path):
    monkeypatch.setenv("HUSHGRAPH_DATA", str(tmp_path))
    text = declaration.replace(f'"{graph_file}"', '["citeseer_lcc"]')
    (experiment,) = declared.parse(text, "own", "own.toml")
    plan = runner.make_plan([experiment], 2)
    assert plan.distinct == {}
    (table,) = runner.tables(plan, {}, {})
    assert {row.trouble for row in table.rows} == {"data not available"}
    assert table.counts["missing"] == 4


def test_a_cell_that_cannot_be_run_is_reported_and_the_rest_is_planned(declaration, graph_file, tmp_path):
    (tmp_path / "broken.npz").write_bytes(b"no graph")
    text = declaration.replace(f'"{graph_file}"', f'["{graph_file}", "{tmp_path}/broken.npz"]')
    unsearched = declaration.replace("mine", "unsearched").replace("dropout = 0.5\n", "")
    plan = runner.make_plan(declared.parse(text + unsearched, "own", "own.toml"), 1)
    assert len(plan.distinct) == 4
    assert len(plan.refused) == 8
    first, second = runner.tables(plan, {}, {})
    assert [row.trouble == "not run" for row in first.rows] == [True] * 4 + [False] * 4
    assert "broken.npz" in first.rows[-1].trouble
    assert "chose no hyper-parameters" in second.rows[0].trouble


def test_runs_that_share_their_reports_are_spread_over_idle_workers(declaration, tmp_path):
    text = declaration.replace('["multi-bit", "one-bit"]', '"multi-bit"').replace("[1, 4]", "1")
    (experiment,) = declared.parse(text.replace("k_x = 2", "k_x = [0, 1, 2, 3]"), "own", "own.toml")
    plan = runner.make_plan([experiment], 1)
    assert len({run.group for run in plan.distinct.values()}) == 1
    most = 0

    def count_workers(_state):
        nonlocal most
        most = max(most, len(active_children()))

    results = ResultStore(tmp_path / "out", {})
    found, _ = runner.perform(plan, results, jobs=3, device="cpu", on_progress=count_workers)
    assert len(found) == 4
    assert most == 3


def test_killed_twice_and_resumed_the_table_is_that_of_an_uninterrupted_run(declaration, tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(declaration.replace("epochs = 20", "epochs = 150"))
    words = ["reproduce", str(file), "--repeats", "3", "--jobs", "2", "--device", "cpu", "--output"]

    def table(folder):
        with (folder / "own-mine.csv").open(newline="") as lines:
            return [{name: row[name] for name in row if name != "seconds"} for row in csv.DictReader(lines)]

    def killed_with(runs, folder):
        with subprocess.Popen(
            [*COMMAND, *words, str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            deadline = time.monotonic() + 120
            while len(stored(folder)) < runs and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            workers = psutil.Process(process.pid).children()
            process.kill()
        assert process.returncode == -signal.SIGKILL, "it was done before it could be killed"
        _, left_behind = psutil.wait_procs(workers, timeout=10)
        assert left_behind == []
        return stored(folder)

    first = killed_with(2, tmp_path / "killed")
    second = killed_with(len(first) + 2, tmp_path / "killed")
    assert set(first) < set(second)
    assert len(second) < 12
    for folder in ("killed", "calm"):
        done = CliRunner().invoke(app, [*words, str(tmp_path / folder)])
        assert done.exit_code == 0, done.output
    assert table(tmp_path / "killed") == table(tmp_path / "calm")
    assert set(second) <= set(stored(tmp_path / "killed")) == set(stored(tmp_path / "calm"))
