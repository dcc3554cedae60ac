"""Trials of hyper-parameters: each is a run of its own, so that a kill loses only those under way."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from hushgraph.experiments import runner
from hushgraph.experiments.declared import Experiment
from hushgraph.experiments.store import Result, ResultStore
from hushgraph.experiments.studies.study import Outcome, Study
from hushgraph.local.search import trial_rank

Key = TypeVar("Key")
Cell = TypeVar("Cell")
OnProgress = Callable[[str, runner.Advance], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trials:
    """Runs candidates and picks the best of each group, by what a server can see.

    It chooses by the value of the study, averaged over so many collections; an outcome that is not
    acceptable loses to one that is. Finished trials are kept among the results.
    """

    study: Study
    source: str
    results: ResultStore
    repeats: int
    jobs: int
    device: str = "auto"
    root: Path | None = None
    acceptable: Callable[[Outcome], bool] = lambda outcome: bool(outcome.details["within_limit"])
    on_progress: OnProgress = lambda *_: None
    on_failure: Callable[[str], None] = lambda _: None

    def winners(self, stage: str, candidates: Mapping[Key, Sequence[Cell]]) -> dict[Key, Cell]:
        """The best candidate of each group."""
        cells = tuple(cell for group in candidates.values() for cell in group)
        experiment = Experiment(f"tune/{stage}", stage, self.source, self.study, cells)
        plan = runner.make_plan([experiment], self.repeats, root=self.root)
        for name, reason in plan.unavailable.items():
            raise FileNotFoundError(f"{name}: {reason}")
        show = partial(self.on_progress, stage)
        found, failures = runner.perform(
            plan, self.results, jobs=self.jobs, device=self.device, root=self.root, on_progress=show
        )
        for reason in sorted(set(failures.values())):
            self.on_failure(f"a trial of {stage} failed and cannot win: {reason}")
        ranks: dict[Any, tuple[bool, float]] = {
            cell: self._rank([found.get(run.key) for run in runs]) for (_, cell), runs in plan.runs.items()
        }
        best = {key: min(group, key=ranks.__getitem__) for key, group in candidates.items()}
        for key, cell in best.items():
            if math.isinf(ranks[cell][1]):
                raise ValueError(f"every trial of {stage} for {key} failed: {next(iter(failures.values()))}")
        return best

    def _rank(self, results: Sequence[Result | None]) -> tuple[bool, float]:
        """Lower is better; a trial of which a run failed loses to any other."""
        outcomes = [result.outcome for result in results if result is not None]
        if len(outcomes) < len(results):
            return trial_rank(False, math.inf)
        mean = math.fsum(outcome.value for outcome in outcomes) / len(outcomes)
        return trial_rank(all(map(self.acceptable, outcomes)), -mean if self.study.higher_is_better else mean)
