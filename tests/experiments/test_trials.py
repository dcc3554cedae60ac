"""Trials: which candidate of a group wins, by what a server can see."""

from __future__ import annotations

import dataclasses
import math

import pytest

from hushgraph.experiments import runner
from hushgraph.experiments.store import Result, ResultStore
from hushgraph.experiments.studies.lpgnn import VALIDATION, Cell
from hushgraph.experiments.studies.study import Outcome
from hushgraph.experiments.trials import Trials
from hushgraph.privacy import Guarantee


@pytest.fixture
def winner(graph_file, tmp_path, monkeypatch):
    """The k_x that wins, given what the runs of each k_x came to: values, and whether within Acc*."""

    def perform(plan, outcomes, **_):
        found, failures = {}, {}
        for (_, cell), runs in plan.runs.items():
            for run, outcome in zip(runs, outcomes[cell.k_x], strict=True):
                if outcome is None:
                    failures[run.key] = "MemoryError: too large"
                else:
                    value, within = outcome
                    details = {"within_limit": within}
                    found[run.key] = Result(Outcome(value, 1.0, Guarantee("label", 1.0), details), {})
        return found, failures

    def find(outcomes, study=VALIDATION, **how):
        cells = [_cell(graph_file, k_x) for k_x in outcomes]
        monkeypatch.setattr(runner, "perform", lambda plan, *_, **__: perform(plan, outcomes))
        trials = Trials(
            study=study,
            source="a test",
            results=ResultStore(tmp_path / "runs", {}),
            repeats=len(next(iter(outcomes.values()))),
            jobs=1,
            **how,
        )
        return trials.winners("steps", {"all": cells})["all"].k_x

    return find


def _cell(dataset, k_x):
    adam = {"learning_rate": 0.01, "weight_decay": 0.0, "dropout": 0.0}
    return Cell(dataset=dataset, epsilon_x=1.0, epsilon_y=1.0, k_x=k_x, k_y=0, **adam)


def test_the_lowest_mean_over_collections_wins(winner):
    assert winner({0: [(1.0, True), (3.0, True)], 2: [(1.9, True), (1.9, True)]}) == 2


def test_one_collection_in_which_it_knows_the_noise_too_well_is_enough_to_lose(winner):
    assert winner({0: [(9.0, True), (9.0, True)], 2: [(0.1, True), (0.1, False)]}) == 0


def test_if_all_know_the_noise_too_well_the_loss_decides(winner):
    assert winner({0: [(2.0, False)], 2: [(1.0, False)]}) == 2


def test_of_equals_the_first_wins(winner):
    assert winner({4: [(1.0, True)], 2: [(1.0, True)]}) == 4


def test_where_more_is_better_the_highest_wins(winner):
    accuracy = dataclasses.replace(VALIDATION, higher_is_better=True)
    assert winner({0: [(0.6, True)], 2: [(0.7, True)]}, accuracy) == 2


def test_what_is_acceptable_can_be_told(winner):
    assert winner({0: [(2.0, True)], 2: [(1.0, False)]}, acceptable=lambda _: True) == 2


def test_a_trial_of_which_a_run_failed_cannot_win_and_the_reason_is_told_once(winner):
    told = []
    outcomes = {0: [None, None], 2: [(0.1, True), None], 4: [(5.0, False), (5.0, False)]}
    assert winner(outcomes, on_failure=told.append) == 4
    assert told == ["a trial of steps failed and cannot win: MemoryError: too large"]


def test_if_every_trial_failed_there_is_no_winner(winner):
    with pytest.raises(ValueError, match="every trial of steps for all failed: MemoryError: too large"):
        winner({0: [None], 2: [None]})


def test_a_graph_that_is_not_there_cannot_be_searched_on(monkeypatch, tmp_path):
    monkeypatch.setenv("HUSHGRAPH_DATA", str(tmp_path))
    trials = Trials(
        study=VALIDATION, source="a test", results=ResultStore(tmp_path / "runs", {}), repeats=1, jobs=1
    )
    with pytest.raises(FileNotFoundError, match="citeseer_lcc: "):
        trials.winners("steps", {"all": [_cell("citeseer_lcc", 2)]})


def test_a_group_has_a_winner_of_its_own(graph_file, tmp_path, monkeypatch):
    def perform(plan, *_, **__):
        value = {cell: float(cell.k_x) for _, cell in plan.runs}
        outcome = {cell: Outcome(value[cell], 1.0, Guarantee("label", 1.0)) for cell in value}
        return {runs[0].key: Result(outcome[cell], {}) for (_, cell), runs in plan.runs.items()}, {}

    monkeypatch.setattr(runner, "perform", perform)
    trials = Trials(
        study=VALIDATION,
        source="a test",
        results=ResultStore(tmp_path / "runs", {}),
        repeats=1,
        jobs=1,
        acceptable=lambda outcome: math.isfinite(outcome.value),
    )
    groups = {"low": [0, 2], "high": [16, 8]}
    candidates = {name: [_cell(graph_file, k_x) for k_x in steps] for name, steps in groups.items()}
    winners = trials.winners("steps", candidates)
    assert {name: cell.k_x for name, cell in winners.items()} == {"low": 0, "high": 8}
